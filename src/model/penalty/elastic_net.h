// elastic net:   g(x) = l1 |x| + (lambda/2) x^2        g*(v) = S(v, l1)^2 / (2 lambda)
#pragma once

#include <cmath>

#include "base/scalar.h"

namespace seesaw {

struct ElasticNet {
  double lambda;
  double l1;

  double value(double x) const { return l1 * std::abs(x) + 0.5 * lambda * x * x; }
  double conjugate(double v) const {
    const double s = soft_threshold(v, l1);
    return s * s / (2 * lambda);
  }
  double from_dual(double v) const { return soft_threshold(v, l1) / lambda; }
  double prox(double u, double tau) const { return soft_threshold(u, tau * l1) / (1 + tau * lambda); }
  double strong_convexity() const { return lambda; }
  double dual_bound() const { return infinity; }

  double fenchel_gap(double x, double v) const {
    const double u = from_dual(v);
    return 0.5 * lambda * (x - u) * (x - u) + (l1 * std::abs(x) - x * (v - lambda * u));
  }
};

}  // namespace seesaw
