#include "data/table/level_counts.h"

#include <algorithm>

#include "data/table/cells.h"

namespace seesaw {

void LevelCounts::count(std::string_view level) {
  if (const auto known = counts_.find(level); known != counts_.end()) ++known->second;
  else counts_.emplace(level, 1);
}

std::size_t LevelCounts::at_least(std::size_t rows) const {
  return static_cast<std::size_t>(
      std::count_if(counts_.begin(), counts_.end(), [&](const auto& level) { return level.second >= rows; }));
}

std::vector<std::string> LevelCounts::sorted(std::size_t rows) const {
  std::vector<std::string> levels;
  for (const auto& [level, count] : counts_)
    if (count >= rows) levels.push_back(level);
  std::sort(levels.begin(), levels.end());
  return levels;
}

std::optional<int> LevelCounts::answers() const {
  std::optional<int> pair;
  for (const auto& [level, count] : counts_) {
    const auto place = answer_in(level);
    if (!place || (pair && *pair != *place / 2 * 2)) return std::nullopt;
    pair = *place / 2 * 2;
  }
  return pair;
}

std::vector<double> LevelCounts::answer_values() const {
  std::size_t affirmative = 0, all = 0;
  for (const auto& [level, count] : counts_)
    if (const auto place = answer_in(level)) {
      all += count;
      affirmative += *place % 2 == 1 ? count : 0;
    }
  std::vector<double> values(all, 0.0);
  std::fill_n(values.begin(), affirmative, 1.0);
  return values;
}

}  // namespace seesaw
