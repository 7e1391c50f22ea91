// Bounds are given for the coefficients of the data's features; the weights of scaled features are these divided by the
// factors of the columns. Rounded towards 0, so that the product by the factor keeps the bound as given.
#pragma once

#include "data/transform.h"
#include "model/objective.h"

namespace seesaw {

Objective with_scaled_bounds(Objective objective, const Transform& transform);

}  // namespace seesaw
