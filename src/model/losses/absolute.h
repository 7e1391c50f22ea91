// absolute:   phi(z) = |z - b|        phi*(y) = b y, |y| <= 1
#pragma once

#include "model/losses/loss.h"

namespace seesaw {

inline LossKind absolute_loss() {
  return {.name = "absolute", .target = Target::number, .formula = "|z - b|", .make = [](double) -> Loss {
            return PiecewiseQuadratic::regression(0, 0, {-1, 1});
          }};
}

}  // namespace seesaw
