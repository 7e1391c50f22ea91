// smooth-hinge (g):   phi(z) = 0 if m >= 1; 1 - m - g/2 if m <= 1 - g; (1 - m)^2/(2 g) between, m = b z
//                     phi*(y) = -p + g p^2/2, p = -b y in [0, 1]: the hinge, smoothed by g
#pragma once

#include "model/losses/hinge.h"
#include "model/losses/loss.h"

namespace seesaw {

inline LossKind smooth_hinge_loss() {
  return {.name = "smooth-hinge",
          .target = Target::sign,
          .formula = "the hinge (1 - b z)_+ with its corner rounded over [1 - gamma, 1]",
          .parameter = {"gamma", 1, "a number above 0", [](double g) { return g > 0; }},
          .make = [](double g) -> Loss { return smoothed(hinge_loss().make(0), g); }};
}

}  // namespace seesaw
