// The steps of SPDC for a P of which e/n = lambda + Delta/n is the strong convexity (Wang & Xiao 2017): Theorem 2, (9) and
// (10), and dual-free Theorem 4, (15) and (16). n rows of norm at most R; c = 4 in the paper.
//
//     tau = sqrt(gamma/e)/(c R)      sigma = sqrt(e/gamma)/(c R), dual-free sqrt(gamma e)/(c R)
//     theta = max(tx, ty)            ty = (1 + ((n - 1)/n) s/2)/(1 + s/2), s = sigma gamma, dual-free sigma
//                                    tx = (1 - tau sigma Delta/k)/(1 + tau lambda), k = 2 n (sigma + 4 delta), dual-free
//                                    n (4 + 2 sigma)
#pragma once

#include <algorithm>
#include <cmath>

#include "solvers/parts/dual/dual_rows.h"
#include "solvers/parts/steps/spdc_steps.h"

namespace seesaw {

struct CurvedProblem {
  double n, R, lambda, gamma, delta;
};

inline SpdcSteps curved_steps(const CurvedProblem& of, double Delta, DualStep dual_step, double c) {
  const bool dual_free = dual_step == DualStep::dual_free;
  const double e = of.n * of.lambda + Delta, tau = std::sqrt(of.gamma / e) / (c * of.R);
  const double sigma = std::sqrt(dual_free ? of.gamma * e : e / of.gamma) / (c * of.R);
  const double s = dual_free ? sigma : sigma * of.gamma;
  const double ty = (1 + (1 - 1 / of.n) * s / 2) / (1 + s / 2);
  const double k = dual_free ? of.n * (4 + 2 * sigma) : 2 * of.n * (sigma + 4 * of.delta);
  const double tx = (1 - tau * sigma * Delta / k) / (1 + tau * of.lambda);
  return {tau, sigma, std::max(ty, tx)};
}

}  // namespace seesaw
