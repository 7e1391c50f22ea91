// The division of rows into folds for cross-validation.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace seesaw {

struct Folds {
  static constexpr std::uint32_t never = std::numeric_limits<std::uint32_t>::max();  // a row that is only trained on

  std::size_t count = 0;
  std::vector<std::uint32_t> of_row;  // 0 .. count - 1, or `never`
  // Time: fold f is validated by a model of the folds before it, so the first one is only trained on.
  bool forward = false;

  std::size_t first_validated() const { return forward ? 1 : 0; }
  std::size_t validated() const { return count - first_validated(); }
  std::vector<std::uint32_t> training(std::size_t fold) const;    // rows, ascending
  std::vector<std::uint32_t> validation(std::size_t fold) const;  // rows, ascending
};

// Rows are shuffled by the seed within each label and dealt out in turn: the numbers of rows of a label in two folds differ
// by at most 1, and so do the sizes of the folds. Throws InvalidOption if count is below 2 or above the number of rows.
Folds stratified_folds(const std::vector<double>& labels, std::size_t count, std::uint64_t seed);
Folds shuffled_folds(std::size_t rows, std::size_t count, std::uint64_t seed);  // the same without labels

// One word per line and row: rows with the same word are a fold, "-" is a row that is only trained on. Folds are in
// ascending order, by number if all words are numbers. Throws Error.
Folds read_folds(const std::string& path, std::size_t rows, bool forward);

}  // namespace seesaw
