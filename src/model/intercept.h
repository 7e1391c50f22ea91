// The free intercept for given scores: argmin_b sum_i c_i phi_i(z_i + b), a convex function of one number.
#pragma once

#include <vector>

#include "model/problem.h"

namespace seesaw {

// Starts at `from`; ends when the objective is within `accuracy` of its minimum (at least to rounding).
double best_intercept(const Problem& problem, const std::vector<double>& z, double from, double accuracy);

// Joint losses: the total normalized weight of each class.
std::vector<double> class_totals(const Problem& problem);

// The optimal free intercepts for x = 0, one per output: the starting point of methods. Softmax: the logarithms of the
// total normalized weights of the classes; multiclass hinge: 0, which is one of the optima.
std::vector<double> intercepts_alone(const Problem& problem);

}  // namespace seesaw
