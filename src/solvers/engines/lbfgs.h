// L-BFGS on P = sum_i c_i phi_i(a_i.x + b) + (lambda/2)|x|^2 for smooth losses, the free intercept eliminated:
//
//     d = -H g                                     H: BFGS updates by the last m pairs (parts/lbfgs/curvature_pairs.h)
//     t: P(x + t d) minimal                        on the scores z + t A d (parts/lbfgs/row_losses.h), O(n) per trial
//     x += t d,  z += t A d,  g = lambda x + A^T C y,  y_i = phi_i'(z_i)
//     s = t d,   y = the change of g               a new pair
//
// An iteration is one product A d and one A^T y: one pass. With y as the dual point the gap is |g|^2/(2 lambda), exactly,
// since b is optimal for x. With unpenalized features it is about -g.d/2. Scalar losses and softmax
// share the engine; what differs is in RowLosses.
#pragma once

#include <cstddef>
#include <memory>

#include "model/problem.h"
#include "solvers/solver.h"

namespace seesaw {

// |derivative| at the end of a line search, relative to its start.
inline constexpr double lbfgs_line_accuracy = 0.1;

struct LbfgsSpec {
  std::size_t pairs = 50;  // m
};

// The loss must be smooth (of all classes: softmax), l1 = 0.
std::unique_ptr<Solver> make_lbfgs(const Problem& problem, const LbfgsSpec& spec, const Start& start);

}  // namespace seesaw
