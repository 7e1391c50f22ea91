// Preconditions of the recomputation: consistent sizes, labels, names, status, coefficients and scaling factors.
#pragma once

#include "data/dataset.h"
#include "model/linear_model.h"
#include "verify/problems.h"

namespace seesaw::verifier {

// Whether the model is well formed; if not, the reasons are added to `problems`.
bool well_formed(const Dataset& data, const LinearModel& model, Problems& problems);

}  // namespace seesaw::verifier
