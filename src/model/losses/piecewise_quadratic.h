// Nine of our ten losses are one function with other numbers. Their conjugate is
//
//     phi*(y) = b y + e |y| + (k/2) y^2     on [lo, hi]
//
// with b the label, e the width of the insensitive tube, k the curvature (k = gamma: phi is (1/k)-smooth). For
// classification losses b = +-1 and the interval is mirrored with b: p = -b y lies in [0, upper]. Everything follows:
//
//     dual_step = clip( S(z - b + q y0, e) / (k + q), lo, hi )        S the soft threshold
//     phi(z)    = y (z - b) - e |y| - (k/2) y^2   at y = phi'(z) = dual_step with q = 0
//
// Smoothing (completions A: phi_g* = phi* + (g/2) y^2) is k += g. One kernel, one instantiation, every loss a few
// numbers.
#pragma once

#include <cmath>

#include "base/scalar.h"

namespace seesaw {

struct PiecewiseQuadratic {
  static constexpr bool can_shrink = true;  // many dual variables are at a bound

  double curvature;      // k
  double insensitivity;  // e
  Interval domains[2];   // of y where b <= 0, and where b > 0

  static PiecewiseQuadratic regression(double k, double e, Interval domain) { return {k, e, {domain, domain}}; }
  static PiecewiseQuadratic classification(double k, double upper) { return {k, 0, {{0, upper}, {-upper, 0}}}; }

  Interval domain(double b) const { return domains[b > 0]; }  // an index, not a branch: labels cannot be predicted
  double gamma() const { return curvature; }
  double delta() const {
    return std::isinf(domains[0].lo) && std::isinf(domains[0].hi) && insensitivity == 0 ? 1 / curvature : 0;
  }

  // argmax_y  y z - phi*(y) - (q/2) (y - y0)^2,  q > 0 or k > 0
  [[gnu::always_inline]] double dual_step(double b, double z, double y0, double q) const {
    const double inverse = 1 / (curvature + q);  // independent of z
    return domain(b).clip(soft_threshold(z - b + q * y0, insensitivity) * inverse);
  }

  double derivative(double b, double z) const {  // where phi is not differentiable: the subgradient 0
    const double t = soft_threshold(z - b, insensitivity);
    return t == 0 ? 0 : domain(b).clip(t / curvature);
  }

  double value(double b, double z) const {
    const double y = derivative(b, z);
    return y * (z - b) - insensitivity * std::abs(y) - 0.5 * curvature * y * y;
  }

  double conjugate(double b, double y) const {
    if (!domain(b).contains(y)) return infinity;
    return b * y + insensitivity * std::abs(y) + 0.5 * curvature * y * y;
  }

  double second_derivative(double b, double z) const {  // 0 where phi is linear, and for nonsmooth losses everywhere
    if (curvature == 0 || std::abs(z - b) <= insensitivity) return 0;
    const Interval box = domain(b);
    const double y = soft_threshold(z - b, insensitivity) / curvature;
    return box.lo < y && y < box.hi ? 1 / curvature : 0;
  }

  // The gradient of y z - phi*(y) projected onto the directions that the domain permits; positive: y should increase.
  // `margin`: if y is at a bound (or at 0, where |y| is not differentiable) and optimal there, the amount by which the
  // gradient may change before it is not.
  struct ProjectedGradient {
    double violation;
    double margin;
  };
  [[gnu::always_inline]] ProjectedGradient projected_gradient(double b, double z, double y) const {
    const Interval box = domain(b);
    const double force = z - b - curvature * y;
    if (y == 0 && insensitivity > 0 && std::abs(force) <= insensitivity) return {0, insensitivity - std::abs(force)};
    const double rise = force - std::copysign(insensitivity, y == 0 ? force : y);
    if (y <= box.lo && rise < 0) return {0, -rise};
    if (y >= box.hi && rise > 0) return {0, rise};
    return {rise, 0};
  }
};

}  // namespace seesaw
