// Steps of a fit that fit() and fit_targets() share.
#pragma once

#include "run/fit.h"

namespace seesaw {

// With the tolerance and the costs by which `auto` selects a method: built-in costs, unless measured ones are requested.
SolverSpec with_tolerance_and_costs(SolverSpec solver, const Criteria& criteria);

// What the model states of the problem and its outcome. Transform, hash and method are those of the caller.
void set_outcome(LinearModel& model, const Dataset& data, const FitSpec& spec, const Problem& problem,
                 const Outcome& outcome);

}  // namespace seesaw
