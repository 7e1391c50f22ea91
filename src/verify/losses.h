// The verifier's own losses, implemented from their definitions and not shared with src/model/losses. t is the
// parameter of the loss:
//
//   of a number b:  phi(z) = value(r), r = z - b        phi*(y) = b y + conjugate(y)
//   of a sign b:    phi(z) = value(m), m = b z          phi*(y) = conjugate(p), p = -b y
#pragma once

#include <array>
#include <string_view>

#include "verify/ball_functions.h"

namespace seesaw::verifier {

enum class LossName {
  squared,
  absolute,
  quantile,
  huber,
  epsilon_insensitive,
  squared_epsilon_insensitive,
  hinge,
  smooth_hinge,
  squared_hinge,
  logistic,
  softmax,
  multiclass_hinge
};

enum class ParameterRule { unused, above_zero, not_negative, between_zero_and_one };

struct LossInfo {
  std::string_view name;
  LossName loss;
  bool of_sign;
  ParameterRule rule = ParameterRule::unused;

  bool of_blocks() const { return loss == LossName::softmax || loss == LossName::multiclass_hinge; }
  bool parameter_allowed(double t) const {
    switch (rule) {
      case ParameterRule::above_zero:
        return t > 0 && t < inf;
      case ParameterRule::not_negative:
        return t >= 0 && t < inf;
      case ParameterRule::between_zero_and_one:
        return t > 0 && t < 1;
      default:
        return true;
    }
  }
};

inline constexpr std::array<LossInfo, 12> losses{{
    {"squared", LossName::squared, false},
    {"absolute", LossName::absolute, false},
    {"quantile", LossName::quantile, false, ParameterRule::between_zero_and_one},
    {"huber", LossName::huber, false, ParameterRule::above_zero},
    {"epsilon-insensitive", LossName::epsilon_insensitive, false, ParameterRule::not_negative},
    {"squared-epsilon-insensitive", LossName::squared_epsilon_insensitive, false, ParameterRule::not_negative},
    {"hinge", LossName::hinge, true},
    {"smooth-hinge", LossName::smooth_hinge, true, ParameterRule::above_zero},
    {"squared-hinge", LossName::squared_hinge, true},
    {"logistic", LossName::logistic, true},
    {"softmax", LossName::softmax, false},
    {"multiclass-hinge", LossName::multiclass_hinge, false},
}};

// The loss of this name, or nullptr.
inline const LossInfo* find_loss(std::string_view name) {
  for (const LossInfo& info : losses)
    if (info.name == name) return &info;
  return nullptr;
}

// phi of r = z - b, or of the margin m = b z.
SEESAW_INLINE Ball loss_value(LossName loss, const Ball& u, double t) {
  switch (loss) {
    case LossName::squared:
      return half(square(u));
    case LossName::absolute:
      return absolute(u);
    case LossName::quantile: {
      if (not_negative(u)) return Ball(two_sum(1, -t)) * u;
      if (not_negative(-u)) return Ball(-t) * u;
      return from_zero_to(u.magnitude());  // both derivatives are below 1 in magnitude
    }
    case LossName::huber: {  // t |r| - t^2/2 <= phi <= r^2/2, equal where |r| = t
      const Ball size = absolute(u), line = Ball(t) * (size - half(Ball(t))), parabola = half(square(size));
      if (certainly_at_most(size, t)) return parabola;
      return certainly_at_most(t, size) ? line : hull(parabola, line);
    }
    case LossName::epsilon_insensitive:
      return positive_part(absolute(u) - Ball(t));
    case LossName::squared_epsilon_insensitive:
      return square(positive_part(absolute(u) - Ball(t)));
    case LossName::hinge:
      return positive_part(Ball(1) - u);
    case LossName::smooth_hinge: {  // the same with 1 - m in place of |r|
      const Ball below = positive_part(Ball(1) - u), line = below - half(Ball(t));
      if (certainly_at_most(t, below)) return line;
      const Ball parabola = half(square(below)) / Ball(t);
      return certainly_at_most(below, t) ? parabola : hull(parabola, line);
    }
    case LossName::squared_hinge:
      return square(positive_part(Ball(1) - u));
    case LossName::logistic: {  // log(1 + e^-m); its derivative is at most 1
      const Ball exact(u.high, u.low, 0);
      if (u.high >= 0) {
        // and at most e^-m' <= e^(r - m) within r of m, where e^-m <= phi(m) / log 2; e^(1/2) / log 2 < 2.5.
        const Ball value = log_of_one_plus_exp(-exact);
        const double derivative = 2.5 * value.magnitude();
        return value.widened(u.radius <= 0.5 && derivative < 1 ? rounded_up(derivative * u.radius) : u.radius);
      }
      return (log_of_one_plus_exp(exact) - exact).widened(u.radius);
    }
    default:
      return unbounded();
  }
}

// Whether y, or p, is in the closed domain of the conjugate, exactly.
SEESAW_INLINE bool in_domain(LossName loss, double y, double t) {
  switch (loss) {
    case LossName::squared:
    case LossName::squared_epsilon_insensitive:
      return std::abs(y) < inf;
    case LossName::absolute:
    case LossName::epsilon_insensitive:
      return std::abs(y) <= 1;
    case LossName::huber:
      return std::abs(y) <= t;
    case LossName::quantile: {  // -t <= y <= 1 - t, where 1 - t may not be a double
      const Pair above = two_sum(y, t);
      return -t <= y && (above.high < 1 || (above.high == 1 && above.low <= 0));
    }
    case LossName::hinge:
    case LossName::smooth_hinge:
    case LossName::logistic:
      return y >= 0 && y <= 1;
    case LossName::squared_hinge:
      return y >= 0 && y < inf;
    default:
      return false;
  }
}

// Precondition: in_domain.
SEESAW_INLINE Ball loss_conjugate(LossName loss, double y, double t) {
  const Ball value(y);
  switch (loss) {
    case LossName::squared:
    case LossName::huber:
      return half(square(value));
    case LossName::epsilon_insensitive:
      return Ball(t) * absolute(value);
    case LossName::squared_epsilon_insensitive:
      return Ball(t) * absolute(value) + Ball(0.25) * square(value);
    case LossName::hinge:
      return -value;
    case LossName::smooth_hinge:
      return half(Ball(t)) * square(value) - value;
    case LossName::squared_hinge:
      return Ball(0.25) * square(value) - value;
    case LossName::logistic:
      return p_log_p(value) + p_log_p(Ball(two_sum(1, -y)));
    default:
      return {};
  }
}

}  // namespace seesaw::verifier
