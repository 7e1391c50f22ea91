// Working sets of features for l1 > 0 and a nonsmooth loss (phi*(y) = b y + e|y| on an interval): a proximal point method
// on the dual, whose stages are smooth problems for the engine of working_set.h.
//
//     stage    min_x  sum_i c_i psi_i(a_i.x + b) + g(x)
//              psi_i(z) = max_y y z - phi_i*(y) - (gamma/2)(y - y0_i)^2
//
// psi_i* is phi_i* with the curvature gamma and the target b_i - gamma y0_i, up to the constant (gamma/2) y0_i^2: a loss
// of the same family. When a stage is solved, y0 = y and gamma *= 0.3. The gap of the problem itself is
//
//     gap = (gap of the stage) + sum_i c_i (phi_i - psi_i)(z_i) - (gamma/2) sum_i c_i (y_i - y0_i)^2
//
// where the last two terms, the excess, vanish for rows whose y_i is at an end of its interval: few remain, so that gamma
// need not become small. A stage is solved when its gap is at most the excess, or a fraction of the target.
//
// State      y0_, gamma_: the stage;  stage_: its problem;  inner_: the method on it
//            best_: the points with the lowest P and the highest D of the problem
// Step       epoch() = an epoch of the inner method; if its gap is small enough: the gap of the problem, and the next
//            stage, which begins with the x of the last one
#pragma once

#include <memory>

#include "model/problem.h"
#include "solvers/engines/working_set.h"
#include "solvers/solver.h"

namespace seesaw {

// The loss must be a PiecewiseQuadratic of curvature 0, and l1 > 0.
std::unique_ptr<Solver> make_proximal_working_set(const Problem& problem, const WorkingSetSpec& spec,
                                                  const Start& start);

}  // namespace seesaw
