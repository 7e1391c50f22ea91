// Features without a penalty, or all of them (lambda = l1 = 0): the dual is finite only where A^T C y = 0 over them (and
// sum c_i y_i = 0 with a free intercept).
#pragma once

#include <cstdint>
#include <vector>

#include "model/problem.h"

namespace seesaw {

// Moves y onto that subspace, weighted by the curvature W = diag(phi''(z)): y - W A (A^T C W A)^-1 A^T C y. Near the
// optimum the gap then equals the true suboptimality. Builds a d x d matrix; false where that is too large, singular,
// where the projection leaves the domain of some phi_i*, or after a request to stop (base/optional_work.h): then y is
// unchanged.
// `columns`, ascending: those that have no penalty; A is A over them alone.
bool project_to_unregularized_dual(const Problem& problem, const std::vector<std::uint32_t>& columns,
                                   const std::vector<double>& z, double intercept, std::vector<double>& y);

}  // namespace seesaw
