// The preparation of a paper's data set, beyond what `--scale` does.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "data/dataset.h"

namespace seesaw {

struct SetPreparation {
  std::vector<double> positive;  // labels that become +1, all others -1; empty: labels unchanged
  double divide = 1;             // all values are divided by it
  bool standardize = false;      // columns to mean 0 and standard deviation 1; makes the data dense
  bool unit_ranges = false;      // columns from [min, max] to [-1, 1]; makes the data dense
  bool constant = false;         // a column of ones appended after scaling the columns
  bool unit_rows = false;        // rows to norm 1, including the column of ones
  bool standard_labels = false;  // labels to mean 0 and standard deviation 1

  bool nothing() const {
    return positive.empty() && divide == 1 && !standardize && !unit_ranges && !constant && !unit_rows &&
           !standard_labels;
  }
};

// At most `most` rows, evenly spaced, in order.
Dataset evenly_spaced_rows(const Dataset& data, std::size_t most);
Dataset prepared(const Dataset& data, const SetPreparation& preparation);

}  // namespace seesaw
