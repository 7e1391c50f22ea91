// mu^2, the smallest eigenvalue of A^T C A. With a delta-strongly convex loss the data adds delta mu^2 to the strong
// convexity of P. Without weights it is the smallest eigenvalue of A^T A, divided by n.
#pragma once

#include <optional>

#include "model/problem.h"

namespace seesaw {

// Why it cannot be computed: the end of "NAME needs ...", or nullopt.
std::optional<std::string> data_curvature_unsupported(const Problem& problem);

// `bias_entry`: the entry of the free intercept's column, 0 without one. Returns 0 if the columns are linearly
// dependent up to rounding. Builds a d x d matrix: O(n d^2 + d^3).
double data_curvature(const Problem& problem, double bias_entry);

}  // namespace seesaw
