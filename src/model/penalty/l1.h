// l1:   g(x) = l1 |x|        g*(v) = 0 if |v| <= l1, else infinity
#pragma once

#include <cmath>

#include "base/scalar.h"

namespace seesaw {

struct L1 {
  double l1;

  double value(double x) const { return l1 * std::abs(x); }
  double conjugate(double v) const { return std::abs(v) <= l1 ? 0 : infinity; }
  double prox(double u, double tau) const { return soft_threshold(u, tau * l1); }
  double strong_convexity() const { return 0; }
  double dual_bound() const { return l1; }

  double fenchel_gap(double x, double v) const { return std::abs(v) <= l1 ? l1 * std::abs(x) - x * v : infinity; }
};

}  // namespace seesaw
