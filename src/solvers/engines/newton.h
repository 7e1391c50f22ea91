// Newton's method on P = sum_i c_i phi_i(a_i.x + b) + (lambda/2)|x|^2 for losses with curvature:
//
//     optionally on samples of 50d, 200d, ... rows up to a third of all, each to the accuracy that its size is worth,
//     then on all rows:  H p = -g (parts/newton/newton_system.h has the ways),  x += t p,  t by a search along p
//
// The dual point is y_i = phi_i'(z_i), and P - D = |g|^2/(2 lambda): the method knows its gap at every step. A free
// intercept borders H and is made the best for x before that gap is believed. The squared loss needs one step.
#pragma once

#include <memory>

#include "model/problem.h"
#include "solvers/parts/newton/newton_system.h"
#include "solvers/solver.h"

namespace seesaw {

struct NewtonSpec {
  SystemKind system = SystemKind::cholesky;
  bool sampled_start = false;  // a warm start switches it off
};

std::unique_ptr<Solver> make_newton(const Problem& problem, const NewtonSpec& spec, const Start& start);

}  // namespace seesaw
