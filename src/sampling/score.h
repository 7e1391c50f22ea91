// What the size of a row's last move counts for: c = size^kappa, kept away from 0, infinity and NaN, so that sums of
// scores are positive and finite even when a run diverges.
#pragma once

#include <algorithm>
#include <cmath>

#include "base/elementary.h"

namespace seesaw {

inline double score(double size, double kappa) {
  const double c = kappa == 0.5 ? std::sqrt(size) : power_of(size, kappa);
  return std::min(std::max(1e-150, c), 1e150);  // in this order, NaN becomes the floor
}

}  // namespace seesaw
