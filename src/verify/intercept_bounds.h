// Bounds of an optimal free intercept by Jensen's inequality (docs/certificates.md): the mean loss of a group of rows
// is at most P / (its normalized weight), and the loss at the mean score at most that. With a penalty,
// |x*| <= sqrt(2 P/lambda), or |x*|_1 <= P/l1.
#pragma once

#include <vector>

#include "verify/stated_problem.h"

namespace seesaw::verifier {

struct GroupSums {
  std::vector<Ball> weight;  // sum s_i over each group
  std::vector<Ball> sum;     // sum s_i a_ij over each group: number j groups + g
  std::vector<Ball> all;     // over all rows, if there are more than two groups
};
GroupSums sums_of_groups(const StatedProblem& problem);

struct Interval {
  double low = -inf, high = inf;
};
// For output k. Precondition: P of output k is at most `primal`.
Interval intercept_bounds(const StatedProblem& problem, const GroupSums& groups, std::size_t k, double primal);

// Block losses, with sum_k b_k = 0: an upper bound of |b_k|.
double block_intercept_bound(const StatedProblem& problem, const GroupSums& groups, double primal);

}  // namespace seesaw::verifier
