// squared-epsilon-insensitive (e):   phi(z) = (|z - b| - e)_+^2, no half, as LIBLINEAR        phi*(y) = b y + e |y| +
// y^2/4
#pragma once

#include "model/losses/loss.h"

namespace seesaw {

inline LossKind squared_epsilon_insensitive_loss() {
  return {.name = "squared-epsilon-insensitive",
          .target = Target::number,
          .formula = "(|z - b| - epsilon)_+^2",
          .parameter = {"epsilon", 0.1, "a number that is not negative", [](double e) { return e >= 0; }},
          .make = [](double e) -> Loss {
            return PiecewiseQuadratic::regression(0.5, e, {-infinity, infinity});
          }};
}

}  // namespace seesaw
