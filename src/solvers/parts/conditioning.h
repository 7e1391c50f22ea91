// c = lambda n gamma/R^2, the number that says how hard a problem is for coordinate methods. With weights
// R^2 = max n c_i |a_i|^2, so that n cancels.
#pragma once

#include <algorithm>
#include <vector>

#include "model/problem.h"

namespace seesaw {

// R^2/n.
inline double steepest_row(const Problem& problem) {
  const std::vector<double>& square = problem.squared_row_norms();
  double steepest = 0;
  for (std::size_t i = 0; i < square.size(); ++i)
    steepest = std::max(steepest, problem.normalized_weight[i] * square[i]);
  return steepest;
}

inline double conditioning(const Problem& problem) {  // infinite where no row has an entry
  return problem.penalty.l2() * problem.gamma() / steepest_row(problem);
}

}  // namespace seesaw
