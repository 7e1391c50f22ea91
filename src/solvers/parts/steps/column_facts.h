// What the steps of methods that draw columns are made of, beside RowFacts: the columns' norms and the largest entry,
// weighted as the norms of rows are.
#pragma once

#include <cstdint>
#include <vector>

#include "model/problem.h"
#include "solvers/parts/steps/step_rule.h"

namespace seesaw {

struct ColumnFacts {
  ColumnFacts(const Problem& problem, const RowFacts& rows);

  std::vector<std::uint32_t> drawable;  // columns that are not empty
  double k = 0;                         // how many
  std::vector<double> norm;             // of column j: sqrt(sum_i m c_i a_ij^2)
  double largest_entry = 0;             // max sqrt(m c_i)|a_ij|
};

}  // namespace seesaw
