// What the next working set is chosen from.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "solvers/parts/l1/feature_penalty.h"
#include "solvers/parts/l1/nearest_features.h"

namespace seesaw {

struct FeatureChoice {
  std::vector<std::uint32_t> needed;  // positions of features with x_j != 0, or without l1
  std::vector<NearFeature> outside;   // the others, except those without entries
  std::size_t violators = 0;          // of these, not in the last set

  // The needed features twice, or with up to two violators for each.
  std::size_t size_of_set() const {
    return needed.size() + std::max(needed.size(), std::min(violators, 2 * needed.size()));
  }
};

// `features` have v; s v is in the domain of the penalty. A feature outside violates its condition if |v_j| > likely l1_j.
inline FeatureChoice choice_of_features(const std::vector<std::uint32_t>& features, const std::vector<double>& v,
                                        double s, const std::vector<double>& x, const std::vector<double>& norm,
                                        const FeaturePenalty& penalty, double path_l1, double likely,
                                        const std::vector<std::uint32_t>& last_set) {
  FeatureChoice choice;
  for (std::uint32_t k = 0; k < v.size(); ++k) {
    const std::uint32_t j = features[k];
    const double l1 = penalty.l1_at(j, path_l1), size = penalty.relevant_size(j, v[k]);
    if (x[j] != 0 || l1 == 0) {
      choice.needed.push_back(k);
    } else if (norm[j] > 0) {
      choice.outside.push_back({(l1 - s * size) / norm[j], k});
      choice.violators += size > likely * l1 && !std::binary_search(last_set.begin(), last_set.end(), j);
    }
  }
  return choice;
}

}  // namespace seesaw
