// Scalar functions and sets used by losses, penalties and criteria.
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

// Soft threshold S(t, e) = sign(t) max(|t| - e, 0), without a branch.
[[gnu::always_inline]] inline double soft_threshold(double t, double e) { return t - std::min(std::max(t, -e), e); }

}  // namespace seesaw
