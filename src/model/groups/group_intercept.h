// The free intercept b of a problem with losses of groups: the best one for given scores, dual points with
// sum_g c_g 1.y_g = 0, and where an optimal one can be.
#pragma once

#include <vector>

#include "model/groups/group_problem.h"

namespace seesaw {

// argmin_b sum_g c_g phi_g(z_g + b), z a number per row: by bisection, until the sum is within `accuracy` of its minimum, or
// to rounding. O(n) per halving.
double best_intercept(const GroupProblem& problem, const std::vector<double>& z, double accuracy);

// Reduces the positive or the negative y, so that sum_g c_g 1.y_g = 0 to rounding. No |y_i| increases.
void balance(const GroupProblem& problem, std::vector<double>& y);

// |b| <= the result for all x and b with P(x, b) <= primal, every rounding error included; infinity where there is no bound.
// The loss of a group is at least the mean of the losses h_i of its q_g rows, so with s_i = w_g/q_g
//   sum_i s_i h_i(a_i.x + b) <= W P,      |x| <= X = sqrt(2 P/lambda)
// and over the rows of one label (hinge), or over all rows (norm),
//   |b| <= 1 + (W P + X sum_i s_i |a_i|)/sum_i s_i,      |b| <= (W P + X sum_i s_i |a_i| + sum_i s_i |b_i|)/sum_i s_i
double largest_intercept(const GroupProblem& problem, double primal);

}  // namespace seesaw
