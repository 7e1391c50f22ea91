// Features that are proved to have the weight 0 at the optimum, by the certificate's own dual point y and its gap.
//
// Where phi is (1/gamma)-smooth, phi* is gamma-strongly convex, so D falls off its maximum at y* at least as
// (gamma/2) sum_i c_i (y_i - y*_i)^2, and the dual optimum lies in a ball:
//
//     sum_i c_i (y_i - y*_i)^2 <= 2 gap/gamma = radius^2        so    |v*_j - v_j| <= |a_j|_c radius
//
// with v = -A^T C y and |a_j|_c^2 = sum_i c_i a_ij^2. Every minimizer has x*_j = 0 where |v*_j| < l1, whatever lambda.
// With a free intercept both points have sum_i c_i y_i = 0, so that a_j may be taken less its mean:
// |a_j|_c^2 - (sum_i c_i a_ij)^2. For methods that skip such features: v and norms are plain sums with an allowance of 1e-12
// of their size; what a model claims is proved by rigorous/proved_signs.h. Needs a smooth loss (gamma > 0), l1 > 0 and a feasible y.
#pragma once

#include <cmath>
#include <cstddef>
#include <optional>
#include <vector>

#include "model/certificate.h"

namespace seesaw {

std::vector<double> screening_norms(const Problem& problem);  // |a_j|_c of every feature; one pass

// The radius of the ball, with an allowance for the rounding in P and D.
double screening_radius(const Problem& problem, double primal, double gap);

inline bool proved_zero(double v, double norm, double radius, double l1) {
  return std::abs(v) + norm * radius < l1 * (1 - 1e-12);
}

}  // namespace seesaw
