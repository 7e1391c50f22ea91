#include "data/table/problems.h"

#include <fmt/format.h>

#include "seesaw/error.h"

namespace seesaw {

void Problems::add(Position at, const std::string& sentence) {
  if (++count_ <= most_shown) shown_.push_back({at, sentence});
}

void Problems::add(const std::string& sentence) { add({}, sentence); }

void Problems::refuse() const {
  if (count_ == 0) return;
  const auto whole = [this](const Problem& problem) {
    if (problem.at.line == 0) return fmt::format("{}: {}", file_, problem.sentence);
    return fmt::format("{}:{}:{}: {}", file_, problem.at.line, problem.at.column, problem.sentence);
  };
  if (count_ == 1 && shown_[0].at.line > 0)
    throw ParseError(file_, shown_[0].at.line, shown_[0].at.column, shown_[0].sentence);
  if (count_ == 1) throw Error(whole(shown_[0]));
  std::string text = fmt::format("{}: has {} problems:", file_, count_);
  for (const Problem& problem : shown_) text += "\n  " + whole(problem);
  if (count_ > shown_.size()) text += fmt::format("\n  and {} more.", count_ - shown_.size());
  throw Error(text);
}

}  // namespace seesaw
