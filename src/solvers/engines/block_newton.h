// Newton's method for softmax with an l2 penalty, on all unknowns of all classes at once:
//
//     H p = -grad P(x, b)          by conjugate gradients, H and M^-1 as in softmax_hessian.h and
//     class_preconditioner.h,
//                                  until |r| <= eta |grad P|, eta = sqrt(|grad P| / |grad P(start)|) and at most 1/4
//     (x, b) <- (x, b) + t p       t = 1, 1/2, 1/4 ... until P falls by 1e-4 of what the slope promises
//
// The dual point is y_i = phi_i'(a_i.x + b), so that without intercepts gap = |grad P|^2/(2 lambda) exactly; with them,
// r_k = sum_i c_i y_ik being what is left of their slopes, |b.r| + sum_k r_k^2/n_k are added as what balancing y costs.
// So CG need not go below what the gap that is wanted allows. x starts, and with it stays, with classes that sum to 0
// in every feature: that lowers P and changes no score's difference.
//
// M is made anew when the CG steps since it was made have cost as much as it did. An epoch is one Newton step; a
// product by A or A^T, and so a step of CG, counts as a pass, M as one.
#pragma once

#include <memory>
#include <optional>

#include "model/problem.h"
#include "solvers/parts/newton/class_preconditioner.h"
#include "solvers/solver.h"

namespace seesaw {

struct BlockNewtonSpec {
  std::optional<ClassBlocks> blocks = {};  // of the preconditioner; nothing: by size
};

// The loss must be softmax, lambda > 0, l1 = 0.
std::unique_ptr<Solver> make_block_newton(const Problem& problem, const BlockNewtonSpec& spec, const Start& start);

}  // namespace seesaw
