// l2:   g(x) = (lambda/2) x^2        g*(v) = v^2 / (2 lambda)
#pragma once

#include "base/scalar.h"

namespace seesaw {

struct L2 {
  double lambda;

  double value(double x) const { return 0.5 * lambda * x * x; }
  double conjugate(double v) const { return v * v / (2 * lambda); }
  double from_dual(double v) const { return v / lambda; }                     // grad g*
  double prox(double u, double tau) const { return u / (1 + tau * lambda); }  // argmin g + (x - u)^2/(2 tau)
  double strong_convexity() const { return lambda; }
  double dual_bound() const { return infinity; }  // g* is finite for |v| <= it

  // g(x) + g*(v) - x v >= 0, without cancellation
  double fenchel_gap(double x, double v) const {
    const double miss = x - v / lambda;
    return 0.5 * lambda * miss * miss;
  }
};

}  // namespace seesaw
