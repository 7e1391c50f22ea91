// squared:   phi(z) = (z - b)^2 / 2        phi*(y) = b y + y^2 / 2
#pragma once

#include "model/losses/loss.h"

namespace seesaw {

inline LossKind squared_loss() {
  return {.name = "squared", .target = Target::number, .formula = "(z - b)^2 / 2", .make = [](double) -> Loss {
            return PiecewiseQuadratic::regression(1, 0, {-infinity, infinity});
          }};
}

}  // namespace seesaw
