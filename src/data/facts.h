// Statistics of a data set that matter for training. Printed by `seesaw info`.
#pragma once

#include <cstddef>
#include <vector>

#include "data/dataset.h"

namespace seesaw {

struct Spread {  // of a set of positive numbers
  double min = 0, median = 0, mean = 0, max = 0;
};

struct Facts {
  std::size_t n = 0, d = 0, nnz = 0;
  double density = 0;          // nnz / (n d)
  std::size_t empty_rows = 0;  // kept, but never drawn
  std::size_t empty_columns = 0;
  std::size_t constant_columns = 0;  // nonzero and equal in every row
  std::size_t longest_row = 0;       // nonzero entries
  Spread row_norms;                  // of nonempty rows
  Spread column_norms;               // of nonempty columns
  double mean_squared_row_norm = 0;
  std::vector<LabelCount> labels;  // more than 1000 entries: counting stopped there
};

Facts measure(const Dataset& data);

}  // namespace seesaw
