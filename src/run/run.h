// The loop around every method: epochs, clocks, certificates, trace, stopping, Ctrl-C.
#pragma once

#include "run/checkpoint.h"
#include "run/observer.h"
#include "run/stopping.h"
#include "solvers/solver.h"

namespace seesaw {

// `should_stop` is polled after each epoch and, by methods with long epochs, within it: true ends the run at once, with a
// certificate. The same holds for the time limit. It is called by one thread at a time, never during an observer's call.
// `known`: a point to begin with, such as a warm start; kept like any other while it is the best.
// `spent`: seconds that constructing the solver took; they count as solving.
// `checkpoints`: the run continues from the newest of them, if requested, and saves its state between epochs. An epoch
// that has begun is then completed before `should_stop` ends the run. Neither changes a bit of the outcome.
// `from_zero`: the method begins at its own start. The first check of one that estimates its gap is then that of x = 0 and
// y = 0, where no product by A is needed.
Outcome run(Solver& solver, const Problem& problem, const Criteria& criteria, const Observers& observers = {},
            const StopPredicate& should_stop = {}, const Point* known = nullptr, double spent = 0,
            CheckpointSeries* checkpoints = nullptr, bool from_zero = false);

}  // namespace seesaw
