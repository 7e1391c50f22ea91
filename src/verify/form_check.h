// What must be so before anything can be computed: sizes, labels, words and coefficients that belong together.
#pragma once

#include "data/dataset.h"
#include "model/linear_model.h"
#include "verify/problems.h"

namespace seesaw::verifier {

// Whether the form is right; otherwise the problems say what is not.
bool form_is_right(const Dataset& data, const LinearModel& model, Problems& problems);

}  // namespace seesaw::verifier
