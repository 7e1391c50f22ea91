// The preparation of a paper's data set, beyond what `--scale` does.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "data/dataset.h"

namespace seesaw {

struct SetPreparation {
  std::vector<double> keep;      // only rows with these labels; empty: all
  std::size_t rows = 0;          // of these at most so many, evenly spaced; 0: all
  std::vector<double> positive;  // labels that become +1, all others -1; empty: labels unchanged
  double divide = 1;             // all values are divided by it
  bool standardize = false;      // columns to mean 0 and standard deviation 1; makes the data dense
  bool unit_ranges = false;      // columns from [min, max] to [-1, 1]; makes the data dense
  bool constant = false;         // a column of ones appended after scaling the columns
  bool unit_rows = false;        // rows to norm 1, including the column of ones
  bool standard_labels = false;  // labels to mean 0 and standard deviation 1

  bool nothing() const {
    return keep.empty() && rows == 0 && positive.empty() && divide == 1 && !standardize && !unit_ranges && !constant &&
           !unit_rows && !standard_labels;
  }
};

// At most `most` rows, evenly spaced, in order.
Dataset evenly_spaced_rows(const Dataset& data, std::size_t most);
Dataset prepared(const Dataset& given, const SetPreparation& preparation);

// What the columns of a generated set have in common with those of the set that it replaces.
struct ColumnProfile {
  std::vector<double> sizes;  // column j is multiplied by sizes[j mod count]; empty: 1
  double density = 1;         // the probability that an entry is not set to zero
  // Columns, from 0, that have the value `code` together in half of the rows: "not available".
  struct Code {
    double code = 0;
    std::vector<std::size_t> columns;
  };
  std::vector<Code> codes;

  bool nothing() const { return sizes.empty() && density == 1 && codes.empty(); }
};
Dataset with_profile(const Dataset& data, const ColumnProfile& profile, std::uint64_t seed);
// Labels +1 for this fraction of the rows, those with the largest scores, and -1 for the others.
void label_largest(std::vector<double>& scores, double fraction);

}  // namespace seesaw
