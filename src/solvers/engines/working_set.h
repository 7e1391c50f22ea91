// Working sets of features for l1 > 0 and a smooth loss. An epoch:
//
//     W    the support of x and the features with the smallest (l1 - |v_j|)/|a_j|_c; W grows to twice the support
//     x_W  minimizes P over W and the intercept, to the accuracy that the gap needs:
//              s = A_W^T C y,  H = A_W^T diag(c_i phi_i''(z_i)) A_W        y_i = phi_i'(z_i)
//              u = argmin s.(u - x) + 1/2 (u - x)^T H (u - x) + g(u)       (parts/l1/l1_quadratic.h)
//              x <- x + t (u - x),  t = 1, 1/2, ... until P decreases by 1/1000 of the predicted change
//          once for the squared loss (the model is P), until it is solved for others (proximal Newton)
//     y    phi'(z), balanced for a free intercept, scaled into the box |v_j| <= l1: P, D, gap over all features
//     drop the features that gap and y prove to be 0 (model/screening.h)
//
// The free intercept is eliminated from each model exactly: H <- H - h h^T/h_b. For losses without curvature on parts of
// their domain, mu |a_j|_c^2/gamma is added to the diagonal of H, mu growing after short steps. If l1 is far below the
// largest |v_j| the regularization path is followed: l1 is 0.3 of the largest |v_j| until the l1 of the problem is
// reached.
//
// State      x_, b_: the primal point;  z_ = A x + b;  l1_: the current l1 of the path
//            kept_, kept_rows_: the features not proved to be 0, and A restricted to them;  v_ = -A^T C y of these
//            y_: the feasible dual point with the highest D, best_dual_;  gap_ = P(x) - best_dual_
//            model_: the quadratic model of P over the working set
// Invariant  z_ = A x_ + b_ up to rounding at any time, x_j = 0 for j outside kept_, y_ is feasible
// Step       epoch() = choose_set(), solve_on_set(), evaluate(); l1_ decreases until it is that of the problem
#pragma once

#include <memory>

#include "model/problem.h"
#include "solvers/solver.h"

namespace seesaw {

struct WorkingSetSpec {
  bool path = true;    // start with a larger l1
  bool screen = true;  // drop features proved to be 0
};

std::unique_ptr<Solver> make_working_set(const Problem& problem, const WorkingSetSpec& spec, const Start& start);

}  // namespace seesaw
