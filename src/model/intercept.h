// The free intercept for given scores: argmin_b sum_i c_i phi_i(z_i + b), a convex function of one number.
#pragma once

#include <vector>

#include "model/problem.h"

namespace seesaw {

// Starts at `from`; ends when the objective is within `accuracy` of its minimum (at least to rounding).
double best_intercept(const Problem& problem, const std::vector<double>& z, double from, double accuracy);

// The free intercepts that are best for x = 0, one an output: where methods begin. Softmax has the logarithms of the
// classes' shares; for the multiclass hinge 0 is as good as any.
std::vector<double> intercepts_alone(const Problem& problem);

}  // namespace seesaw
