// Verification of a model with a loss of groups of rows: P from the scores of the groups, D and the dual domain from the
// dual point, in the verifier's own arithmetic.
#pragma once

#include "data/readers/row_groups.h"
#include "verify/verify.h"

namespace seesaw {

bool has_group_loss(const LinearModel& model);

// As verify(). Throws Error if the model was trained on other data or groups.
Verification verify_groups(const Dataset& data, const RowGroups& groups, const LinearModel& model);

}  // namespace seesaw
