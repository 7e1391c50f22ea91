// The levels of a column of text, with the number of rows of each.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace seesaw {

class LevelCounts {
 public:
  void count(std::string_view level);
  std::size_t size() const { return counts_.size(); }
  std::size_t at_least(std::size_t rows) const;                 // levels of so many rows
  std::vector<std::string> sorted(std::size_t rows = 1) const;  // those levels, ascending bytewise

  // If all levels are words of one pair of answers, in any case: the place of its negative one (cells.h).
  std::optional<int> answers() const;
  std::vector<double> answer_values() const;  // 0 and 1, one number per row

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
  };
  std::unordered_map<std::string, std::size_t, Hash, std::equal_to<>> counts_;
};

}  // namespace seesaw
