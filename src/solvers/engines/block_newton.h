// Newton's method for softmax with an l2 penalty, on all unknowns of all classes:
//
//     H p = -grad P(x, b)          by conjugate gradients, preconditioned by M (softmax_hessian.h,
//                                  class_preconditioner.h), until |r| <= eta |grad P|,
//                                  eta = min(1/4, sqrt(|grad P| / |grad P(start)|))
//     (x, b) <- (x, b) + t p       t = 1, 1/2, 1/4, ... until P decreases by 1e-4 t |p.grad P|
//
// The dual point is y_i = phi_i'(a_i.x + b), so that without intercepts gap = |grad P|^2/(2 lambda) exactly. With
// intercepts, |b.r| + sum_k r_k^2/n_k is added as the cost of balancing y, r_k = sum_i c_i y_ik being the remaining
// derivative and n_k the weight of class k. CG is not solved more exactly than the target gap needs. At the start the
// classes of x are made to sum to 0 in every feature, and they remain so: this lowers P and changes no difference of
// scores.
//
// M is recomputed when the CG steps since its last computation have cost as much as that. An epoch is one Newton step. A
// product by A or A^T, and so a CG step, counts as one pass, and so does M.
#pragma once

#include <memory>
#include <optional>

#include "model/problem.h"
#include "solvers/parts/newton/class_preconditioner.h"
#include "solvers/solver.h"

namespace seesaw {

struct BlockNewtonSpec {
  std::optional<ClassBlocks> blocks = {};  // of the preconditioner; nullopt: by size
};

// The loss must be softmax, lambda > 0, l1 = 0.
std::unique_ptr<Solver> make_block_newton(const Problem& problem, const BlockNewtonSpec& spec, const Start& start);

}  // namespace seesaw
