// Looks into SPDC-AIS (Liu, Wang & So 2021, Algorithm 1) step by step, to measure what its theorems assume: theta_t of
// condition (15) and rho_t of Assumption 1. An eager, obvious form: every coordinate of x moves in every step, nothing
// is clipped, steps are those of Theorem 1, and delta rises from 0.2 to 0.8 over all steps.
//
//   p_i = (1 - delta_t)/n + delta_t h_i/sum h, h_i = |pi_i|^(1/2)      i ~ p
//   y_i' = dual step at a_i.xbar, sigma/(n p_i)                        pi_i = (n p_i/sigma) dy
//   x'   = prox_tau(x - tau (s + dy/(n p_i) a_i)),  s += dy/n a_i      xbar = x' + theta (x' - x)
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "model/problem.h"

namespace seesaw {

// The dual optimum, as far as a certificate vouches for it.
struct DualOptimum {
  std::vector<double> y;
  double squared_error = 0;  // |y - y*|^2 is at most this
};
DualOptimum dual_optimum(const Problem& problem);

struct AisProbeOptions {
  double passes = 50;
  std::size_t points = 500;  // at which is measured, at most; evenly spread over the steps
  std::uint64_t seed = 1;
};

struct AisProbe {
  double theta = 0;               // the rate of Theorem 1
  std::vector<double> iteration;  // t; fewer than asked for where y came too close to y* to measure anything
  // (sum_i (1/(2 sigma) + gamma (1 - p_i^t)/(n p_i^t)) e_i) / (sum_i (1/(2 sigma) + gamma/(n p_i^(t-1))) e_i) with
  // e_i = (y_i^t - y_i*)^2: the theorem asks for at most theta
  std::vector<double> theta_t;
  // (sum |G_i|^3/sum |G_i| - (sum |G_i|/n)^2) / (|y^t - y*|^2/n) with the gradient maps G_i of all rows: the larger,
  // the more there is to gain from adaptive draws
  std::vector<double> rho_t;
  std::vector<double> x, y;  // where it ended
};

// Throws Error where Algorithm 1 does not apply: a loss with a kink or of several scores, another penalty than l2, an
// intercept that is not penalized, rows with weights.
AisProbe probe_ais(const Problem& problem, const DualOptimum& optimum, const AisProbeOptions& options = {});

}  // namespace seesaw
