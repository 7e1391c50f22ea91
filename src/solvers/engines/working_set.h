// Working sets of features for l1 > 0 and a smooth loss. An epoch:
//
//     W    the support of x and the features next to it: smallest (l1 - |v_j|)/|a_j|_c; W grows to twice the support
//     x_W  minimizes P over W and the intercept, up to the accuracy that the gap asks for:
//              s = A_W^T C y,  H = A_W^T diag(c_i phi_i''(z_i)) A_W        y_i = phi_i'(z_i)
//              u = argmin s.(u - x) + 1/2 (u - x)^T H (u - x) + g(u)       (parts/l1/l1_quadratic.h)
//              x <- x + t (u - x),  t by halving until P falls by 1/1000 of what the model says
//          once for the squared loss (the model is P), until it is solved for the others (proximal Newton)
//     y    phi'(z), balanced where the intercept is free, scaled into the box |v_j| <= l1: P, D, gap of all features
//     drop the features that gap and y prove to be 0 (model/screening.h)
//
// The free intercept is eliminated from each model exactly: H <- H - h h^T/h_b. Where curvature is 0 on parts of the
// loss, mu |a_j|_c^2/gamma is added to the diagonal of H, more after steps that had to be cut. From far above the l1
// that is asked for the path is followed: l1 is 0.3 of the largest |v_j| until it is there.
#pragma once

#include <memory>

#include "model/problem.h"
#include "solvers/solver.h"

namespace seesaw {

struct WorkingSetSpec {
  bool path = true;    // begin with larger l1
  bool screen = true;  // drop features that are proved to be 0
};

std::unique_ptr<Solver> make_working_set(const Problem& problem, const WorkingSetSpec& spec, const Start& start);

}  // namespace seesaw
