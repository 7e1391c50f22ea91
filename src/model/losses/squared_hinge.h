// squared-hinge:   phi(z) = (1 - m)_+^2, m = b z, no half, as LIBLINEAR        phi*(y) = -p + p^2/4, p = -b y >= 0
#pragma once

#include "model/losses/loss.h"

namespace seesaw {

inline LossKind squared_hinge_loss() {
  return {.name = "squared-hinge", .target = Target::sign, .formula = "(1 - b z)_+^2", .make = [](double) -> Loss {
            return PiecewiseQuadratic::classification(0.5, infinity);
          }};
}

}  // namespace seesaw
