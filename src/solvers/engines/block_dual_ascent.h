// Dual ascent for losses of all K classes, one row's block y_i at a time, with the exact primal point:
//
//     x = grad g*(v),  v = -sum_i c_i a_i y_i^T  (K numbers per feature)        z = a_i.x + b  (K numbers)
//     y_i <- argmax_y  <z, y> - phi_i*(y) - (q_i/2)|y - y_i|^2        q_i = c_i (|a_i|^2/lambda + 1/kappa_b)
//     v   <- v - c_i a_i (y_i' - y_i)^T
//
// The K free intercepts are a proximal point, as in dual_ascent.h: b = center - (1/kappa_b) sum_i c_i y_i, and
// center := b after each pass. Starts at y = 0, that is p = e_b, where every phi* is finite.
#pragma once

#include <cstdint>
#include <memory>

#include "model/problem.h"
#include "solvers/engines/dual_ascent.h"
#include "solvers/solver.h"

namespace seesaw {

struct BlockDualAscentOptions {
  Draw draw = Draw::permutation;
  bool extrapolate = true;  // for the multiclass hinge with an l2 penalty
  bool shrink = true;       // with a permutation, for losses whose optimal p are often corners of the simplex
  bool faces = true;        // steps on faces (parts/dual/block_face.h), for the same
  double gap = 1e-6;        // the relative gap at which the run ends: schedules scans (parts/dual/active_rows.h)
  std::uint64_t seed = 1;
};

std::unique_ptr<Solver> make_block_dual_ascent(const Problem& problem, const BlockDualAscentOptions& options,
                                               const Start& start);

}  // namespace seesaw
