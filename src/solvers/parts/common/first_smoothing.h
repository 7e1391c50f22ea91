// The first smoothing of a proximal point method on the dual, for nonsmooth losses, and the intercept it begins with.
#pragma once

#include <cmath>
#include <vector>

#include "base/tree_sum.h"
#include "model/intercept.h"
#include "model/problem.h"
#include "solvers/solver.h"

namespace seesaw {

struct FirstSmoothing {
  double gamma;
  double intercept = 0;  // 0 without a free intercept
};

// gamma: the mean distance of the targets from the initial score, relative to the width of the domain of y.
inline FirstSmoothing first_smoothing(const Problem& problem, const PiecewiseQuadratic& loss, const Start& start) {
  const bool classes = loss.domains[0].lo != loss.domains[1].lo;  // the initial score 0 is between the classes
  FirstSmoothing first{};
  if (problem.free_intercept())
    first.intercept = !start.y.empty() ? start.intercept[0] : classes ? 0 : intercepts_alone(problem)[0];
  std::vector<double> distance(problem.scalar().target);
  const double score = classes ? 0 : first.intercept;
  for (double& of_row : distance) of_row = std::abs(of_row - score);
  const double spread = product_over(problem.leaves(), problem.normalized_weight, distance);
  first.gamma = 4 * (spread > 0 ? spread : 1) / (loss.domains[0].hi - loss.domains[0].lo);
  return first;
}

}  // namespace seesaw
