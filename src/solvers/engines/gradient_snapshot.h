// Variance-reduced gradient methods: the gradient of a drawn row is corrected by its value at a snapshot xs, where the
// full gradient s is known. A period is one full gradient and 2n steps, three passes.
//
//     y_i = phi_i'(a_i.xs + b),  s = sum_i c_i y_i a_i       at the snapshot
//     dy  = phi_i'(a_i.x + b) - y_i                          n: drawable rows, drawn uniformly
//     SVRG       x <- prox_eta(x - eta (s + n c_i dy a_i))            xs: the last x
//     Katyusha   x = t1 z + t2 xs + (1 - t1 - t2) y                   xs: a mean of the y
//                z <- prox_al(z - al (s + n c_i dy a_i)),  y <- x + t1 (z' - z)
//
//     eta = step/L                 L  = max_i n c_i |a_i|^2/gamma + lambda
//     t2 = 1/2                     t1 = min(sqrt(step 2n lambda/L), 1/2)
//     al = step/(t1 L)             th = 1 + al lambda: the mean is weighted by powers of th
//
// Updates are deferred (parts/primal/lazy_primal.h, lazy_katyusha.h): O(nnz(a_i)) per step; Katyusha with l1: O(d). The
// point that is read is the snapshot with its derivatives.
#pragma once

#include <cstdint>
#include <memory>

#include "model/problem.h"
#include "solvers/parts/sampling/uniform_draws.h"
#include "solvers/solver.h"

namespace seesaw {

enum class Momentum { none, katyusha };

struct GradientSnapshotSpec {
  Momentum momentum = Momentum::none;
  double step = 1.0 / 3;  // times 1/L
  Draw draw = Draw::iid;
  std::uint64_t seed = 1;
};

std::unique_ptr<Solver> make_gradient_snapshot(const Problem& problem, const GradientSnapshotSpec& spec,
                                               const Start& start);

}  // namespace seesaw
