// c = lambda n gamma/R^2, the condition number of coordinate methods (large is good). With weights
// R^2 = max n c_i |a_i|^2, so that n cancels.
#pragma once

#include <algorithm>
#include <vector>

#include "model/problem.h"

namespace seesaw {

// R^2/n.
inline double largest_row_smoothness(const Problem& problem) {
  const std::vector<double>& square = problem.squared_row_norms();
  double largest = 0;
  for (std::size_t i = 0; i < square.size(); ++i) largest = std::max(largest, problem.normalized_weight[i] * square[i]);
  return largest;
}

inline double conditioning(const Problem& problem) {  // infinite if all rows are empty
  return problem.penalty.l2() * problem.gamma() / largest_row_smoothness(problem);
}

}  // namespace seesaw
