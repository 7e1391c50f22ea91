// The errors found in a model: whole sentences, each prefixed with the part of the model it concerns.
#pragma once

#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

namespace seesaw::verifier {

class Problems {
 public:
  void about(std::string part) { part_ = std::move(part); }  // empty: the whole model

  template <class... Values>
  void add(fmt::format_string<Values...> sentence, Values&&... values) {
    sentences_.push_back(part_ + fmt::format(sentence, std::forward<Values>(values)...));
  }
  const std::vector<std::string>& sentences() const { return sentences_; }

 private:
  std::string part_;
  std::vector<std::string> sentences_;
};

}  // namespace seesaw::verifier
