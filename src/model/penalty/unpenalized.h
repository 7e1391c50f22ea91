// Features without a penalty on at least one side: factor 0 and no bound there. The dual demands v_j = 0 (or the sign of
// the side that is bounded), which doubles cannot fulfil exactly.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "model/penalty/penalty.h"

namespace seesaw {

inline std::vector<std::uint32_t> unpenalized_features(const Penalty& penalty, std::size_t d) {
  std::vector<std::uint32_t> features;
  if (penalty.uniform() || penalty.none()) return features;
  for (std::size_t j = 0; j < d; ++j) {
    const Coordinate g = penalty.coordinate(j);
    if (g.l2 == 0 && g.l1 == 0 && (std::isinf(g.lo) || std::isinf(g.hi)))
      features.push_back(static_cast<std::uint32_t>(j));
  }
  return features;
}

}  // namespace seesaw
