// What is done to a set of a paper before it is trained on, beyond what `--scale` does.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "data/dataset.h"

namespace seesaw {

struct SetPreparation {
  std::vector<double> positive;  // labels that become +1, all others -1; empty: labels as they are
  double divide = 1;             // every value by it
  bool standardize = false;      // columns to mean 0 and deviation 1; makes the data dense
  bool unit_ranges = false;      // columns from [least, most] to [-1, 1]; makes the data dense
  bool constant = false;         // a last column of ones, after columns are scaled
  bool unit_rows = false;        // rows to norm 1, the column of ones included
  bool standard_labels = false;  // labels to mean 0 and deviation 1

  bool nothing() const {
    return positive.empty() && divide == 1 && !standardize && !unit_ranges && !constant && !unit_rows &&
           !standard_labels;
  }
};

// At most so many rows, evenly spread over all of them, in their order.
Dataset some_rows(const Dataset& data, std::size_t most);
Dataset prepared(const Dataset& data, const SetPreparation& preparation);

}  // namespace seesaw
