// Newton's method on P = sum_i c_i phi_i(a_i.x + b) + (lambda/2)|x|^2 for losses with curvature:
//
//     optionally on samples of 50d, 200d, ... rows up to a third of all, each to an accuracy that suits its size,
//     then on all rows:  H p = -g (parts/newton/newton_system.h),  x += t p,  t by a line search
//
// The dual point is y_i = phi_i'(z_i), and P - D = |g|^2/(2 lambda): the gap is known at every step. With a free
// intercept H is bordered, and the intercept is optimized for x before this gap is used. The squared loss needs one step.
#pragma once

#include <memory>

#include "model/problem.h"
#include "solvers/parts/newton/newton_system.h"
#include "solvers/solver.h"

namespace seesaw {

struct NewtonSpec {
  SystemKind system = SystemKind::cholesky;
  bool sampled_start = false;  // ignored with a warm start
};

std::unique_ptr<Solver> make_newton(const Problem& problem, const NewtonSpec& spec, const Start& start);

}  // namespace seesaw
