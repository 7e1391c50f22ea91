// All problems of a file, reported together: a sentence each, at most ten of them.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace seesaw {

struct Position {
  std::size_t line = 0, column = 0;  // counted from 1
};

class Problems {
 public:
  explicit Problems(std::string file) : file_(std::move(file)) {}

  void add(Position at, const std::string& sentence);  // "what is wrong; what to do."
  void add(const std::string& sentence);               // of the whole file or of an option
  bool empty() const { return count_ == 0; }
  const std::string& file() const { return file_; }

  // Throws nothing if there are no problems, ParseError for one with a position, else Error with all sentences, in the order
  // in which they were added.
  void refuse() const;

 private:
  static constexpr std::size_t most_shown = 10;
  struct Problem {
    Position at;  // line 0: none
    std::string sentence;
  };
  std::string file_;
  std::vector<Problem> shown_;
  std::size_t count_ = 0;
};

}  // namespace seesaw
