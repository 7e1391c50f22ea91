// Verification of a model with several numbers to predict: the claims of its targets, each recomputed as a model of one
// number from the rows and its column of the targets, and their sums.
#pragma once

#include "data/readers/targets.h"
#include "verify/verify.h"

namespace seesaw {

// As verify(). Throws Error if the model was trained on other data or targets.
Verification verify_targets(const Dataset& data, const Targets& targets, const LinearModel& model);

}  // namespace seesaw
