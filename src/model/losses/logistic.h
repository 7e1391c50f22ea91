// logistic:   phi(z) = log(1 + exp(-m)), m = b z        phi*(y) = p log p + (1 - p) log(1 - p), p = -b y in [0, 1]
#pragma once

#include <algorithm>
#include <cmath>

#include "base/elementary.h"
#include "model/losses/logistic_kernel.h"
#include "model/losses/piecewise_quadratic.h"

namespace seesaw {

struct Logistic {
  static constexpr bool can_shrink = false;  // p is never 0 or 1

  Interval domain(double b) const { return b > 0 ? Interval{-1, 0} : Interval{0, 1}; }
  double gamma() const { return 4; }
  double delta() const { return 0; }

  double value(double b, double z) const { return logistic_value(b * z, exp_of(-std::abs(b * z))); }

  double derivative(double b, double z) const { return -b * logistic_sigmoid(-b * z); }

  double second_derivative(double b, double z) const {
    const double p = logistic_sigmoid(-b * z);
    return p * (1 - p);
  }

  double conjugate(double b, double y) const {
    const double p = -b * y;
    if (!(p >= 0 && p <= 1)) return infinity;
    return entropy(p) + entropy(1 - p);
  }

  // argmax_p  -p m - p log p - (1-p) log(1-p) - (q/2)(p - p0)^2. In t = logit(p) this is the root of
  //     F(t) = t + m + q (logistic_sigmoid(t) - p0),    increasing, convex for t < 0, concave for t > 0.
  // Newton on the root's side of 0 is monotone from its second step on, whatever the start there: the first step
  // crosses to the side from which the curvature pushes towards the root. So it starts at logit(p0), near the root when
  // the dual point hardly moves, or at 0 if that is on the other side; no bisection, and no exp for the first step.
  // The second and third derivatives of F are below the first. So a step of at most 0.1 is made Halley's, whose error
  // is below half its cube, and one of 1e-5 is the last.
  double dual_step(double b, double z, double y0, double q) const {
    const double m = b * z;
    const double p0 = std::clamp(-b * y0, 1e-300, 1 - 1e-16);
    if (!(q < 1e150)) [[unlikely]]
      return -b * by_halving(m, p0, q);  // the squares below would overflow
    const double e0 = (1 - p0) / p0, t0 = -log_of(e0);
    const bool root_is_negative = m + q * (0.5 - p0) > 0;  // F(0) > 0
    const bool start_at_p0 = (t0 < 0) == root_is_negative;
    double t = start_at_p0 ? t0 : 0, e = start_at_p0 ? e0 : 1;  // e = exp(-t)
    double p = start_at_p0 ? p0 : 0.5, s = p * (1 - p);
    for (int step = 0;; ++step) {
      const double F = t + m + q * (p - p0), first = 1 + q * s, skew = 1 - 2 * p, second = q * s * skew;
      if (std::abs(F) <= 0.1 * first) {
        const double move = -2 * F * first / (2 * first * first - F * second);
        if (std::abs(F) <= 1e-5 * first || step >= most_steps)
          return -b * std::clamp(p + s * move * (1 + 0.5 * move * skew), 0.0, 1.0);
        t += move;
        e *= exp_near_zero(-move);
      } else {
        if (step >= most_newton_steps) return -b * by_halving(m, p0, q);
        const double next = t - F / first;
        t = (next < 0) == root_is_negative ? next : 0;
        e = exp_of(-std::max(t, -700.0));
      }
      p = 1 / (1 + e);
      s = e * p * p;
    }
  }

 private:
  static constexpr int most_steps = 40;  // 20 are enough; where q is above 1e10 rounding alone may take it on
  static constexpr int most_newton_steps = 200;

  // The root of F where Newton's steps repeat (q so large that rounding exceeds the step) or are not numbers:
  // then p0, which is the limit for large q.
  [[gnu::noinline]] static double by_halving(double m, double p0, double q) {
    double low = -745, high = 745;
    for (int round = 0; round < 100; ++round) {
      const double t = 0.5 * (low + high), F = t + m + q * (logistic_sigmoid(t) - p0);
      if (std::isnan(F)) return p0;
      (F > 0 ? high : low) = t;
    }
    return logistic_sigmoid(0.5 * (low + high));
  }

  // Taylor's polynomial of degree 9, in independent pairs: accurate to rounding for |h| <= 0.11.
  static double exp_near_zero(double h) {
    const double h2 = h * h, h4 = h2 * h2;
    const double low = (1 + h) + h2 * (1.0 / 2 + h * (1.0 / 6));
    const double middle = (1.0 / 24 + h * (1.0 / 120)) + h2 * (1.0 / 720 + h * (1.0 / 5040));
    return low + h4 * (middle + h4 * (1.0 / 40320 + h * (1.0 / 362880)));
  }
  static double entropy(double p) { return p > 0 ? p * log_of(p) : 0; }  // 0 log 0 = 0
};

}  // namespace seesaw
