#include "run/scaled_bounds.h"

#include <cmath>

namespace seesaw {

Objective with_scaled_bounds(Objective objective, const Transform& transform) {
  const auto scale = [&](std::vector<double>& bounds) {
    for (std::size_t j = 0; j < bounds.size(); ++j) {
      const double factor = transform.scaling == Scaling::max     ? transform.factor
                            : transform.column_factors.size() > j ? transform.column_factors[j]
                                                                  : 1;
      if (factor == 1 || bounds[j] == 0 || std::isinf(bounds[j])) continue;
      double scaled = bounds[j] / factor;
      while (std::abs(scaled * factor) > std::abs(bounds[j])) scaled = std::nextafter(scaled, 0.0);
      bounds[j] = scaled;
    }
  };
  scale(objective.lower);
  scale(objective.upper);
  return objective;
}

}  // namespace seesaw
