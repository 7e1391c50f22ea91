// fit() for several numbers to predict per row: K scalar problems over the same rows, weights and penalty. The blocks
// A_i = a_i x I_K of a method for blocks of K scores take the same steps, since the squared loss and every other regression
// loss is a sum over the targets: the methods of one score are used, in parallel over the targets.
#pragma once

#include "data/readers/targets.h"
#include "run/fit.h"

namespace seesaw {

// The labels of the data are not used. Any regression loss (default: squared) and penalty; an l1 by default is that of the
// target which needs the largest. P, D and gap are sums over the targets, and the fit converges when every target does.
// Newton's method for the squared loss with an l2 penalty factors one matrix for all targets.
Fit fit_targets(const Dataset& data, const Targets& targets, const FitSpec& spec, const LinearModel* warm = nullptr,
                const Observers& observers = {}, const StopPredicate& should_stop = {});

}  // namespace seesaw
