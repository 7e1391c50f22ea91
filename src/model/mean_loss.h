// sum_i c_i phi_i(z_i) of given scores, with the loss smoothed by g where that is wanted.
#pragma once

#include <vector>

#include "model/problem.h"

namespace seesaw {

double mean_loss(const Problem& problem, const std::vector<double>& z, double g = 0);
double primal_at_zero(const Problem& problem);  // P(0), without an intercept

}  // namespace seesaw
