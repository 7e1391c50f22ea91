// huber (k):   phi(z) = r^2/2 if |r| <= k, else k |r| - k^2/2, r = z - b        phi*(y) = b y + y^2/2, |y| <= k
#pragma once

#include "model/losses/loss.h"

namespace seesaw {

inline LossKind huber_loss() {
  return {.name = "huber",
          .target = Target::number,
          .formula = "(z - b)^2 / 2 up to |z - b| = huber, then linear",
          .parameter = {"huber", 1, "a number above 0", [](double k) { return k > 0; }},
          .make = [](double k) -> Loss {
            return PiecewiseQuadratic::regression(1, 0, {-k, k});
          }};
}

}  // namespace seesaw
