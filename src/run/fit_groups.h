// fit() for losses of groups of rows (model/groups): the methods for general blocks (solvers/saddle), one block per group.
#pragma once

#include "data/readers/row_groups.h"
#include "run/fit.h"

namespace seesaw {

// Methods: sdca, spdc, adaspdc, spdhg, bpd and auto, without options. P is the mean over the groups. A status `converged`
// is that of the rigorous certificate. Throws Unsupported for weights, a free intercept, penalties without lambda, several
// processes, checkpoints, and criteria other than the gap.
Fit fit_groups(const Dataset& data, const RowGroups& groups, const FitSpec& spec, const Observers& observers = {},
               const StopPredicate& should_stop = {});

}  // namespace seesaw
