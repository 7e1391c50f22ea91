// The features nearest to the support, for a working set.
#pragma once

#include <algorithm>
#include <cstdint>
#include <tuple>
#include <vector>

namespace seesaw {

struct NearFeature {
  double distance;  // (l1 - |v_j|)/|a_j|_c
  std::uint32_t k;  // its position
};

// Adds the positions of the `more` nearest of `outside`, which is reordered; `chosen` is sorted.
inline void add_nearest(std::vector<NearFeature>& outside, std::size_t more, std::vector<std::uint32_t>& chosen) {
  std::nth_element(
      outside.begin(), outside.begin() + static_cast<std::ptrdiff_t>(more), outside.end(),
      [](const NearFeature& a, const NearFeature& b) { return std::tie(a.distance, a.k) < std::tie(b.distance, b.k); });
  for (std::size_t i = 0; i < more; ++i) chosen.push_back(outside[i].k);
  std::sort(chosen.begin(), chosen.end());
}

// Positions in `list` of the features that are in `set`, both ascending.
inline std::vector<std::uint32_t> positions_in(const std::vector<std::uint32_t>& list,
                                               const std::vector<std::uint32_t>& set) {
  std::vector<std::uint32_t> positions;
  for (auto from = list.begin(); const std::uint32_t j : set) {
    from = std::lower_bound(from, list.end(), j);
    if (from != list.end() && *from == j) positions.push_back(static_cast<std::uint32_t>(from - list.begin()));
  }
  return positions;
}

}  // namespace seesaw
