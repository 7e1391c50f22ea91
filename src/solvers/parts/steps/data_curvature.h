// mu^2, the smallest eigenvalue of A^T C A: what the data adds to the strong convexity of P where the loss has some
// (delta mu^2). Without weights it is that of A^T A, divided by n.
#pragma once

#include <optional>

#include "model/problem.h"

namespace seesaw {

// Why it cannot be computed: the end of "NAME needs ...", or nothing.
std::optional<std::string> lacks_data_curvature(const Problem& problem);

// `bias_entry`: of the free intercept's column, 0 without one. 0 where the columns are dependent, up to rounding.
// Builds a matrix of d x d numbers: O(n d^2 + d^3).
double data_curvature(const Problem& problem, double bias_entry);

}  // namespace seesaw
