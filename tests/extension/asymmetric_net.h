// A shape of one coordinate that Seesaw does not have, an elastic net with one l1 per sign:
//
//     g(x) = (lambda/2) x^2 + above max(x, 0) + below max(-x, 0)        grad g*(v) = s(v)/lambda
//     s(v) = v - above if v > above,  v + below if v < -below,  else 0
#pragma once

#include <limits>

namespace extension {

struct AsymmetricNet {
  double lambda, above, below;

  double s(double v, double scale = 1) const {
    return v > scale * above ? v - scale * above : v < -scale * below ? v + scale * below : 0;
  }
  double value(double x) const { return 0.5 * lambda * x * x + (x > 0 ? above * x : -below * x); }
  double conjugate(double v) const { return s(v) * s(v) / (2 * lambda); }
  double from_dual(double v) const { return s(v) / lambda; }
  double prox(double u, double tau) const { return s(u, tau) / (1 + tau * lambda); }
  double strong_convexity() const { return lambda; }
  double dual_bound() const { return std::numeric_limits<double>::infinity(); }
  double fenchel_gap(double x, double v) const {
    const double u = from_dual(v);
    return 0.5 * lambda * (x - u) * (x - u) + ((x > 0 ? above * x : -below * x) - x * (v - lambda * u));
  }
};

}  // namespace extension
