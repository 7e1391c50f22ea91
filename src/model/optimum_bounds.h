// Where the optimum of a problem is, as proved by a certificate (docs/intervals.md). With |w|_f^2 = sum_j f_j w_j^2 over
// the penalty factors f (1 without them):
//
//     |x* - centre|_f <= radius        intercept.lo <= b* <= intercept.hi
//
// Plain numbers, every rounding error included: computed at training (rigorous/optimum_region.h), stored in the model,
// checked by `verify`.
#pragma once

#include <vector>

#include "base/scalar.h"

namespace seesaw {

struct OptimumBounds {
  std::vector<double> centre = {};  // as the weights x of the model; empty: x itself
  std::vector<double> radius;       // of all weights together; one-versus-rest: one per class
  std::vector<Interval>
      intercept;  // per output. Not free: [0, 0]. Block losses: with the sum of the model's intercepts
};

}  // namespace seesaw
