// A rigorous certificate of a point that a method has from its own sums, and the numbers of the certificate that the proofs
// of signs (proved_signs.h) and of the region (optimum_region.h) use.
#pragma once

#include <vector>

#include "model/certificate.h"
#include "model/rigorous/bounded.h"

namespace seesaw {

// Of a feature: bounds of sum_i c_i a_ij^2 from above, and of |sum_i c_i a_ij| from both sides, for a free intercept.
struct ColumnBounds {
  double square = 0, mean_low = 0, mean_high = 0;
};

struct PointProof {
  Certificate certificate;
  double scale = 1;                              // of y, into its domain
  std::vector<rigorous::Bounded<double>> image;  // sum_i s_i y_i a_i
  std::vector<ColumnBounds> columns;
};

}  // namespace seesaw
