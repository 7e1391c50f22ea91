// A loss that Seesaw does not have: Huber's with an insensitive tube, t = (|z - b| - epsilon)_+:
//
//     phi(z) = t^2/2 if t <= 1, else t - 1/2        phi*(y) = b y + epsilon |y| + y^2/2,  |y| <= 1
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "model/losses/loss.h"

namespace extension {

inline seesaw::LossKind huber_epsilon_insensitive() {
  return {.name = "huber-epsilon-insensitive",
          .target = seesaw::Target::number,
          .formula = "huber(max(0, |z - b| - epsilon))",
          .parameter = {"epsilon", 0.25, "a number that is not negative", [](double e) { return e >= 0; }},
          .make = [](double e) -> seesaw::Loss {
            return seesaw::PiecewiseQuadratic::regression(1, e, {-1, 1});
          }};
}

// The same by the definitions, for the tests of laws.
inline double value_by_hand(double e, double b, double z) {
  const double t = std::max(0.0, std::abs(z - b) - e);
  return t <= 1 ? t * t / 2 : t - 0.5;
}
inline double conjugate_by_hand(double e, double b, double y) {
  return std::abs(y) <= 1 ? b * y + e * std::abs(y) + y * y / 2 : std::numeric_limits<double>::infinity();
}

}  // namespace extension
