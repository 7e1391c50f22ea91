// What the claim of a path refers to beside its certificates, recomputed from the data: the sum of the weights, which
// relates C to lambda and l1, and P(0), which its absolute tolerance is a part of.
#pragma once

#include "data/dataset.h"
#include "model/linear_model.h"

namespace seesaw {

struct AtZero {
  double total_weight;  // sum s, the nearest double
  double loss;          // sum_i c_i phi_i(0), an upper bound; one-versus-rest: of one class, the same for all
};

// Precondition: the data and the model passed verify(), except for claims.
AtZero recompute_at_zero(const Dataset& data, LinearModel model);

}  // namespace seesaw
