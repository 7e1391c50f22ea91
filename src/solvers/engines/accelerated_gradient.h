// Nesterov's accelerated gradient on P, with a proximal step for the penalty; L = |C^(1/2) A|^2/gamma:
//
//     s    = sum_i c_i phi_i'(a_i.xbar + bbar) a_i
//     x'   = prox_eta(xbar - eta s),  eta = 1/L
//     xbar = x' + beta (x' - x)
//
// P mu-strongly convex: beta = (1 - k)/(1 + k), k = sqrt(mu/(L + lambda)). mu = 0: t' = (1 + sqrt(1 + 4 t^2))/2, beta =
// (t - 1)/t'. Restart: where a step goes against the last one, (xbar - x').(x' - x) > 0, there is no momentum (mu > 0),
// or t begins again at 1. The dual point is y_i = phi_i'(a_i.x + b). One iteration is one pass: a product by A, one by
// A^T. Losses of one score.
#pragma once

#include <memory>

#include "model/problem.h"
#include "solvers/solver.h"

namespace seesaw {

struct AcceleratedGradientSpec {
  double mu = 0;        // strong convexity of P that is known
  bool restart = true;  // by the gradient
};

std::unique_ptr<Solver> make_accelerated_gradient(const Problem& problem, const AcceleratedGradientSpec& spec,
                                                  const Start& start);

}  // namespace seesaw
