// Proximal semismooth Newton for nonsmooth losses (phi*(y) = b y + e|y| on an interval) with l2. The loss is smoothed
// around a center y0 that moves (a proximal point method on the dual):
//
//     Psi(x, b) = (lambda/2)|x|^2 + sum_i c_i psi_i(a_i.x + b)
//     psi_i(z)  = max_y y z - phi_i*(y) - (gamma/2)(y - y0_i)^2
//     y_i       = psi_i'(z_i) = clip( S(z_i - b_i + gamma y0_i, e)/gamma )
//     gradient  = lambda x + s,                                    s = sum_i c_i y_i a_i
//     Hessian   = lambda I + (1/gamma) sum_F c_i a_i a_i^T,        F: the free rows, y_i inside its domain
//
// Psi is piecewise quadratic: Newton with an exact line search converges in few steps. Then y0 = y and gamma *= 0.3: a
// stage. At the end of a stage the gap of the original loss is a sum over the free rows only, at most |F| gamma/4n for the
// hinge. At the optimum about d rows are free, so that gamma need not become small, and H has few rows.
//
//     repeat until certified                                                (one refresh per epoch)
//       z = A x + b;  y, s, P, D of all rows
//       if the stage is solved, |lambda x + s|^2/(2 lambda) <= sum_i c_i [phi + phi* - y z]:  y0 = y, gamma *= 0.3
//       W = the rows closest to the interval where they are curved, 4 max(|F|, d) of them, or all
//       up to 10 Newton steps on the rows of W; the others keep their y
//       if the y of a row outside W has changed: exact line search over all rows along the total step, and a larger W
//
// n >= 1000 d: first on samples of 50 d, 300 d, ... rows, with coarse smoothing only. s is updated by the rows whose y
// changed, and recomputed at intervals. A product with a subset of the rows counts as a fraction of a pass.
#pragma once

#include <memory>

#include "model/problem.h"
#include "solvers/solver.h"

namespace seesaw {

struct SemismoothNewtonSpec {
  double factor = 0.3;      // of gamma, from stage to stage
  bool working_set = true;  // Newton steps on the rows of W only
  std::uint64_t seed = 1;   // of the samples
};

// The loss must be a PiecewiseQuadratic of curvature 0, and lambda > 0.
std::unique_ptr<Solver> make_semismooth_newton(const Problem& problem, const SemismoothNewtonSpec& spec,
                                               const Start& start);

}  // namespace seesaw
