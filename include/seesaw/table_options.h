// How the columns of a table (CSV with text, dates or empty cells) become features, where the user decides it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace seesaw {

enum class Impute { median, mean, constant };

struct TableOptions {
  char separator = 0;                         // 0: found from the file
  std::vector<std::string> drop = {};         // columns without features
  std::vector<std::string> keep = {};         // if not empty, the others are dropped (the label is kept)
  std::vector<std::string> categorical = {};  // columns of levels even if every cell is a number or a date
  std::vector<std::string> dates = {};        // columns encoded as days
  std::size_t min_count = 1;                  // levels of fewer rows are pooled into one feature
  Impute impute = Impute::median;
  double constant = 0;  // of Impute::constant
  std::uint64_t hash_size =
      0;  // columns of more than `most_listed_levels` levels are hashed to so many features; 0: off
  bool log_target = false;

  bool given() const { return *this != TableOptions{}; }
  bool operator==(const TableOptions&) const = default;
};

// With hash_size, columns of more levels are hashed.
inline constexpr std::size_t most_listed_levels = 1000;
// Without it, columns of more levels are refused: their levels would be most of the model.
inline constexpr std::size_t most_levels = 10000;

}  // namespace seesaw
