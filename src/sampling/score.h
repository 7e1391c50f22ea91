// The score of a row by the size of its last change: c = size^kappa, clamped to [1e-150, 1e150], so that sums of scores
// are positive and finite even when a run diverges. With kappa = 0 all scores are 1.
#pragma once

#include <algorithm>
#include <cmath>

#include "base/elementary.h"

namespace seesaw {

inline double score(double size, double kappa) {
  if (kappa == 0) return 1;
  const double c = kappa == 0.5 ? std::sqrt(size) : power_of(size, kappa);
  return std::min(std::max(1e-150, c), 1e150);  // in this order, NaN becomes 1e-150
}

}  // namespace seesaw
