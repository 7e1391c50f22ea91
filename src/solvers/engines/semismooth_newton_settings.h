// Constants of the semismooth Newton engine.
#pragma once

#include <cstddef>
#include <vector>

namespace seesaw::semismooth_newton_settings {

inline constexpr int max_refreshes = 60;          // per stage; then gamma is increased
inline constexpr double smallest_gamma = 1e-13;   // relative to the first gamma; below it rounding dominates
inline constexpr double sample_gamma = 0.25;      // smallest gamma on samples, relative to the first
inline constexpr double warm_gamma = 0.075;       // first gamma of a warm start, relative to that of a cold one
inline constexpr double path_gamma_increase = 8;  // of the last gamma, where the penalty changes
inline constexpr double gamma_increase = 2;       // after max_refreshes,
inline constexpr double slow_factor = 0.6;        // and gamma is then reduced by this factor instead
inline constexpr int max_newton_steps = 10;       // per working set
inline constexpr double smallest_width = 4;       // of the working set, in multiples of max(|F|, d)
inline constexpr double balance_margin = 1.25;    // change of sum c y that the working set allows / the missing one
inline constexpr double balance_width_increase = 2;
inline constexpr double width_increase = 1.6, large_width_increase = 4;
inline constexpr double medium_step = 0.7,
                        short_step = 0.3;         // below these step lengths over all rows the set was too small
inline constexpr int sum_interval = 12;           // refreshes between two recomputations of s
inline constexpr double target_fraction = 0.2;    // of the target gap, for the residual
inline constexpr double gap_factor_increase = 4;  // after a check that does not confirm the estimated gap

// Samples of 50 d, 300 d, ... rows up to n/6 if n >= 1000 d, then all rows.
inline std::vector<std::size_t> samples_of(std::size_t n, std::size_t features) {
  const std::size_t d = features > 0 ? features : 1;
  std::vector<std::size_t> sizes;
  if (n / d >= 1000)
    for (std::size_t size = 50 * d; size <= n / 6; size *= 6) sizes.push_back(size);
  sizes.push_back(n);
  return sizes;
}

}  // namespace seesaw::semismooth_newton_settings
