// hinge:   phi(z) = (1 - m)_+, m = b z        phi*(y) = -p = b y, p = -b y in [0, 1]
#pragma once

#include "model/losses/loss.h"

namespace seesaw {

inline LossKind hinge_loss() {
  return {.name = "hinge", .target = Target::sign, .formula = "(1 - b z)_+", .make = [](double) -> Loss {
            return PiecewiseQuadratic::classification(0, 1);
          }};
}

}  // namespace seesaw
