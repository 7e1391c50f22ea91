// Several numbers to predict per row: the targets.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "data/dataset.h"

namespace seesaw {

struct Targets {
  std::size_t count = 0;             // K
  std::vector<double> numbers = {};  // K per row, row-major

  std::size_t rows() const { return count == 0 ? 0 : numbers.size() / count; }
  std::vector<double> column(std::size_t k) const;  // target k of every row
};

// A line per row with as many numbers as there are targets, separated by blanks or commas; # begins a comment.
Targets read_targets(const std::string& path);

// Columns of the data as targets: names, or numbers from 1. They are no features of the result, which has no labels.
std::pair<Dataset, Targets> split_targets(Dataset data, const std::vector<std::string>& names);

// Throws Error if there is not one line per row. `path`: of the targets.
void require_rows(const Targets& targets, const Dataset& data, const std::string& path);

// Without the rows of weight 0, which the data does not have.
Targets with_positive_weights(const Targets& targets, const std::vector<double>& weights);

// The data with these labels.
Dataset with_labels(Dataset data, std::vector<double> labels);

// A hash of the parsed data and its targets; labels do not count.
std::uint64_t content_hash(const Dataset& data, const Targets& targets);

}  // namespace seesaw
