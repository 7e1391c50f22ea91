// epsilon-insensitive (e):   phi(z) = (|z - b| - e)_+        phi*(y) = b y + e |y|, |y| <= 1
#pragma once

#include "model/losses/loss.h"

namespace seesaw {

inline LossKind epsilon_insensitive_loss() {
  return {.name = "epsilon-insensitive",
          .target = Target::number,
          .formula = "(|z - b| - epsilon)_+",
          .parameter = {"epsilon", 0.1, "a number that is not negative", [](double e) { return e >= 0; }},
          .make = [](double e) -> Loss {
            return PiecewiseQuadratic::regression(0, e, {-1, 1});
          }};
}

}  // namespace seesaw
