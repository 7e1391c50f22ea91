// The loop around every method: epochs, clocks, certificates, trace, stopping, Ctrl-C. Once, here.
#pragma once

#include "run/observer.h"
#include "run/stopping.h"
#include "solvers/solver.h"

namespace seesaw {

// `stop_asked`, where given, is polled after each epoch and, by methods with long epochs, within: true ends the run
// at once, with a certificate. So is the time. It is called by one thread at a time, never beside an observer.
// `known`: a point to begin with, such as that of a warm start; the best of it is kept like any other.
// `spent`: seconds that making the solver took; they are part of solving.
Outcome run(Solver& solver, const Problem& problem, const Criteria& criteria, const Observers& observers = {},
            const StopAsked& stop_asked = {}, const Point* known = nullptr, double spent = 0);

}  // namespace seesaw
