// One score a row: regression, two classes, or one class against all others.
#pragma once

#include <cstddef>
#include <vector>

#include "data/dataset.h"
#include "model/linear_model.h"
#include "verify/sums.h"

namespace seesaw::verifier {

// Recomputes the problem of output k: P = sum_i c_i phi(b_i, z_ik) + penalty of column k, and D of the numbers y_ik.
// What is not feasible becomes a problem.
Sums check_column(const Dataset& data, const LinearModel& model, std::size_t k, const std::vector<Real>& shares,
                  Problems& problems);

}  // namespace seesaw::verifier
