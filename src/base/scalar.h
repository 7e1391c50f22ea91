// Functions and sets of one number that losses, penalties and criteria share.
#pragma once

#include <algorithm>
#include <limits>

namespace seesaw {

struct Interval {
  double lo, hi;
  [[gnu::always_inline]] double clip(double y) const { return std::min(std::max(y, lo), hi); }
  bool contains(double y) const { return lo <= y && y <= hi; }
};

inline constexpr double infinity = std::numeric_limits<double>::infinity();

// S(t, e): towards zero by e, and zero inside [-e, e].
[[gnu::always_inline]] inline double soft_threshold(double t, double e) {
  return t - std::min(std::max(t, -e), e);
}  // no branch

}  // namespace seesaw
