// Nesterov's accelerated gradient on P, with a proximal step for the penalty; L = |C^(1/2) A|^2/gamma:
//
//     s    = sum_i c_i phi_i'(a_i.xbar + bbar) a_i
//     x'   = prox_eta(xbar - eta s),  eta = 1/L
//     xbar = x' + beta (x' - x)
//
//     mu > 0:  beta = (1 - k)/(1 + k),  k = sqrt(mu/(L + lambda))               P is mu-strongly convex
//     mu = 0:  beta = (t - 1)/t',       t' = (1 + sqrt(1 + 4 t^2))/2
//
// Restart: if (xbar - x').(x' - x) > 0, beta = 0 in this step (mu > 0), or t = 1 (mu = 0). The dual point is
// y_i = phi_i'(a_i.x + b). One iteration is one pass: a product by A and one by A^T. Scalar losses.
#pragma once

#include <memory>

#include "model/problem.h"
#include "solvers/solver.h"

namespace seesaw {

struct AcceleratedGradientSpec {
  double mu = 0;        // known strong convexity of P
  bool restart = true;  // by the gradient
};

std::unique_ptr<Solver> make_accelerated_gradient(const Problem& problem, const AcceleratedGradientSpec& spec,
                                                  const Start& start);

}  // namespace seesaw
