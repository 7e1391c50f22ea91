// Bounds as doubles, rounded outward. A margin of 2^-53 of the size makes sure that another computation of the same
// bound, exact or rounded once, is never further out.
#pragma once

#include <algorithm>
#include <cmath>

#include "model/rigorous/bounded.h"

namespace seesaw::rigorous {

// high + low rounded up; |low| <= |high| or so.
inline double sum_up(double high, double low) {
  const Twofold sum = two_sum(high, low);
  return sum.low > 0 ? std::nextafter(sum.high, infinity) : sum.high;
}

inline double rounded_up(Bounded<Twofold> b) {
  if (!std::isfinite(b.value.high) || !std::isfinite(b.error)) return infinity;
  const double margin = (unit + 0x1p-80) * std::abs(b.value.high);
  return sum_up(b.value.high, up(b.value.low + up(widened(b.error) + margin)));
}
inline double rounded_down(Bounded<Twofold> b) { return -rounded_up(-b); }

// a - b for a >= b as exact numbers, never negative.
inline double difference_up(double a, double b) {
  const double difference = sum_up(a, -b);
  return std::isfinite(difference) ? std::max(0.0, difference) : infinity;
}

// sqrt(2 gap / lambda)
inline double distance_bound(double gap, double lambda) {
  return gap == 0 ? 0 : up(up(std::sqrt(2 * gap)) / std::sqrt(lambda) * (1 + 0x1p-50));
}

}  // namespace seesaw::rigorous
