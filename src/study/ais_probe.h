// Measures the assumptions of the theorems on SPDC-AIS (Liu, Wang & So 2021, Algorithm 1) at its steps: theta_t of
// condition (15) and rho_t of Assumption 1. A direct implementation: every step updates all coordinates of x, nothing is
// clipped, step sizes are those of Theorem 1, and delta increases from 0.2 to its end over the ramp.
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

// The dual optimum, with the error that its certificate allows.
struct DualOptimum {
  std::vector<double> y;
  double squared_error = 0;  // an upper bound of |y - y*|^2
};
DualOptimum dual_optimum(const Problem& problem);

struct AisProbeOptions {
  double passes = 50;
  std::size_t points = 500;  // the maximum number of measurements, evenly spaced over the steps
  std::uint64_t seed = 1;
  double delta = 0.8;  // at the end of the ramp, in (0, 1)
  double ramp = 0;     // passes over which delta increases; 0: all
};

struct AisProbe {
  double theta = 0;               // the rate of Theorem 1
  std::vector<double> iteration;  // t; fewer than `points` if y came closer to y* than the error of y*
  // (sum_i (1/(2 sigma) + gamma (1 - p_i^t)/(n p_i^t)) e_i) / (sum_i (1/(2 sigma) + gamma/(n p_i^(t-1))) e_i) with
  // e_i = (y_i^t - y_i*)^2: the theorem requires at most theta
  std::vector<double> theta_t;
  // (sum |G_i|^3/sum |G_i| - (sum |G_i|/n)^2) / (|y^t - y*|^2/n) with the gradient maps G_i of all rows: the larger,
  // the larger the gain of adaptive sampling
  std::vector<double> rho_t;
  std::vector<double> x, y;  // the last point
};

// Throws Error if Algorithm 1 does not apply: a nonsmooth or block loss, a penalty other than l2, a free intercept, row
// weights.
AisProbe probe_ais(const Problem& problem, const DualOptimum& optimum, const AisProbeOptions& options = {});

}  // namespace seesaw
