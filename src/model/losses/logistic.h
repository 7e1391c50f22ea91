// logistic:   phi(z) = log(1 + exp(-m)), m = b z        phi*(y) = p log p + (1 - p) log(1 - p), p = -b y in [0, 1]
#pragma once

#include <algorithm>
#include <cmath>

#include "model/losses/piecewise_quadratic.h"

namespace seesaw {

struct Logistic {
  static constexpr bool can_shrink = false;  // p is never 0 or 1

  Interval domain(double b) const { return b > 0 ? Interval{-1, 0} : Interval{0, 1}; }
  double gamma() const { return 4; }
  double delta() const { return 0; }

  static double sigmoid(double t) {
    const double e = std::exp(-std::abs(t));
    return t >= 0 ? 1 / (1 + e) : e / (1 + e);
  }

  double value(double b, double z) const {
    const double m = b * z;
    return m >= 0 ? std::log1p(std::exp(-m)) : std::log1p(std::exp(m)) - m;
  }

  double slope(double b, double z) const { return -b * sigmoid(-b * z); }

  double second_derivative(double b, double z) const {
    const double p = sigmoid(-b * z);
    return p * (1 - p);
  }

  double conjugate(double b, double y) const {
    const double p = -b * y;
    if (!(p >= 0 && p <= 1)) return infinity;
    return entropy(p) + entropy(1 - p);
  }

  // argmax_p  -p m - p log p - (1-p) log(1-p) - (q/2)(p - p0)^2. In t = logit(p) this is the root of
  //     F(t) = t + m + q (sigmoid(t) - p0),    increasing, convex for t < 0, concave for t > 0.
  // Newton on the root's side of 0 is monotone from its second step on, whatever the start there: the first step
  // crosses to the side from which the curvature pushes towards the root. So it starts at logit(p0), near the root when
  // the dual point hardly moves, or at 0 if that is on the other side; no bisection. Newton's error after a step of
  // size s is below s^2/2, so a step of 1e-8 is the last; rounding may end the iteration earlier, by a step of the
  // wrong sign.
  double dual_step(double b, double z, double y0, double q) const {
    const double m = b * z;
    const double p0 = std::clamp(-b * y0, 1e-300, 1 - 1e-16);
    const double t0 = std::log(p0 / (1 - p0));
    const bool root_is_negative = m + q * (0.5 - p0) > 0;  // F(0) > 0
    double t = (t0 < 0) == root_is_negative ? t0 : 0;
    double p = 0, move = 0, before = 0;
    for (int step = 0; step < 100; ++step) {
      p = sigmoid(t);
      move = -(t + m + q * (p - p0)) / (1 + q * p * (1 - p));
      if (std::abs(move) <= 1e-8 || (step > 1 && move * before < 0)) break;
      t = (t + move < 0) == root_is_negative ? t + move : 0;
      before = move;
    }
    return -b * std::clamp(p + p * (1 - p) * move, 0.0, 1.0);
  }

 private:
  static double entropy(double p) { return p > 0 ? p * std::log(p) : 0; }  // 0 log 0 = 0
};

}  // namespace seesaw
