// Dual ascent, one coordinate at a time, the primal point kept exact:
//
//     x = grad g*(v),  v = -sum_i c_i y_i a_i        z = a_i.x + b
//     y_i <- argmax_y  y z - phi_i*(y) - (q_i/2)(y - y_i)^2        q_i = c_i (|a_i|^2/lambda + 1/kappa)
//     v   <- v - c_i (y_i' - y_i) a_i
//
// The free intercept is a proximal point: b = center - (1/kappa) sum_i c_i y_i, and after each pass center := b
// (kappa = 3 lambda / mean |a_i|^2, so that scaling the data scales nothing else). Without one, 1/kappa = 0.
#pragma once

#include <cstdint>
#include <memory>

#include "model/problem.h"
#include "solvers/parts/uniform_draws.h"
#include "solvers/solver.h"

namespace seesaw {

struct DualAscentOptions {
  Draw draw = Draw::permutation;
  bool shrink = true;
  bool average = false;
  bool extrapolate = true;
  std::uint64_t seed = 1;
};

std::unique_ptr<Solver> make_dual_ascent(const Problem& problem, const DualAscentOptions& options, const Start& start);

}  // namespace seesaw
