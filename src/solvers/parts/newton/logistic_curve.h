// The logistic loss, its slope and its curvature for long loops: no branch, no call, so that the compiler makes vector
// instructions of it. A few units in the last place from the exact numbers.
//
//     e = exp(-|m|)     phi = max(-m, 0) + log(1 + e)     p = -b phi' = (m >= 0 ? e : 1)/(1 + e)
//     phi'' = e/(1 + e)^2
#pragma once

#include <algorithm>
#include <cmath>

#include "base/elementary.h"

namespace seesaw {

struct LogisticCurve {
  double value, p, bend;
};
[[gnu::always_inline]] inline LogisticCurve logistic_curve(double m) {
  const double e = exp_of_negative(-std::abs(m));
  const double inverse = 1 / (1 + e);
  const double smaller = e * inverse;
  return {std::max(-m, 0.0) + log_of_one_and(e), m >= 0 ? smaller : inverse, smaller * inverse};
}

}  // namespace seesaw
