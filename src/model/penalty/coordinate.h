// One coordinate of a penalty, in general, with bounds that contain 0:
//
//     g(x) = (l2/2) x^2 + l1 |x| + [lo <= x <= hi]
//     grad g*(v) = clip(S(v, l1)/l2, lo, hi)           prox(u, tau) = clip(S(u, tau l1)/(1 + tau l2), lo, hi)
//
// since the minimizer of a convex function of one number over an interval is the clipped unconstrained minimizer.
#pragma once

#include <cmath>

#include "base/scalar.h"

namespace seesaw {

struct Coordinate {
  double l2 = 0, l1 = 0;
  double lo = -infinity, hi = infinity;

  double clip(double x) const { return Interval{lo, hi}.clip(x); }
  double value(double x) const {
    return lo <= x && x <= hi ? 0.5 * l2 * x * x + (l1 > 0 ? l1 * std::abs(x) : 0) : infinity;
  }

  // The v for which g* is finite: all where l2 > 0; otherwise [-l1, l1], beyond it on the side of a finite bound.
  Interval dual_domain() const {
    return {l2 > 0 || std::isfinite(lo) ? -infinity : -l1, l2 > 0 || std::isfinite(hi) ? infinity : l1};
  }
  double conjugate(double v) const {
    if (!dual_domain().contains(v)) return infinity;
    const double u = from_dual(v);
    return u == 0 ? 0 : u * (v - std::copysign(l1, u) - 0.5 * l2 * u);
  }
  double from_dual(double v) const {  // for v in the dual domain
    if (l2 > 0) return clip(soft_threshold(v, l1) / l2);
    return v > l1 ? hi : v < -l1 ? lo : 0;
  }
  double prox(double u, double tau) const { return clip(soft_threshold(u, tau * l1) / (1 + tau * l2)); }

  // g(x) + g*(v) - x v >= 0, without cancellation
  double fenchel_gap(double x, double v) const {
    if (!(lo <= x && x <= hi) || !dual_domain().contains(v)) return infinity;
    const double u = from_dual(v);
    return 0.5 * l2 * (x - u) * (x - u) + ((v - l2 * u) * (u - x) + l1 * (std::abs(x) - std::abs(u)));
  }
};

}  // namespace seesaw
