// The domain of the dual blocks of multiclass losses: p = y + e_b in the simplex, p >= 0 and sum p = 1.
#pragma once

#include <cstddef>

namespace seesaw {

// Given p_k >= 0 of the other classes in y_k: sets y_b so that sum y = 0. If their sum is above 1 by rounding, they are
// scaled down.
inline void close_simplex(std::size_t b, double* y, std::size_t classes) {
  double others = 0;
  for (std::size_t k = 0; k < classes; ++k)
    if (k != b) others += y[k];
  if (others > 1) {
    for (std::size_t k = 0; k < classes; ++k)
      if (k != b) y[k] /= others;
    others = 1;
  }
  y[b] = -others;
}

}  // namespace seesaw
