// Data for the step sizes of methods that draw columns, in addition to RowFacts: the column norms and the largest
// entry, weighted as the row norms are.
#pragma once

#include <cstdint>
#include <vector>

#include "model/problem.h"
#include "solvers/parts/steps/step_rule.h"

namespace seesaw {

struct ColumnFacts {
  ColumnFacts(const Problem& problem, const RowFacts& rows);

  std::vector<std::uint32_t> drawable;  // columns that are not empty
  double k = 0;                         // their number
  std::vector<double> norm;             // of column j: sqrt(sum_i m c_i a_ij^2)
  double largest_entry = 0;             // max sqrt(m c_i)|a_ij|
};

}  // namespace seesaw
