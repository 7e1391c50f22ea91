// One loss of the scores of all classes: softmax and multiclass-hinge.
#pragma once

#include <string_view>
#include <vector>

#include "data/dataset.h"
#include "model/linear_model.h"
#include "verify/sums.h"

namespace seesaw::verifier {

bool is_block_loss(std::string_view loss);

// Recomputes P = sum_i c_i phi(z_i) + penalty of all columns, and D of the blocks y_i. What is not feasible becomes a
// problem.
Sums check_blocks(const Dataset& data, const LinearModel& model, const std::vector<Real>& shares, Problems& problems);

}  // namespace seesaw::verifier
