// quantile (t):   phi(z) = t (b - z)_+ + (1 - t) (z - b)_+        phi*(y) = b y, -t <= y <= 1 - t
#pragma once

#include "model/losses/loss.h"

namespace seesaw {

inline LossKind quantile_loss() {
  return {.name = "quantile",
          .target = Target::number,
          .formula = "quantile (b - z)_+ + (1 - quantile) (z - b)_+",
          .parameter = {"quantile", 0.5, "a number between 0 and 1", [](double t) { return t > 0 && t < 1; }},
          .make = [](double t) -> Loss {
            return PiecewiseQuadratic::regression(0, 0, {-t, 1 - t});
          }};
}

}  // namespace seesaw
