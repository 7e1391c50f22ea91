// The loop around every method: epochs, clocks, certificates, trace, stopping, Ctrl-C. Once, here.
#pragma once

#include <functional>

#include "run/observer.h"
#include "solvers/solver.h"

namespace seesaw {

using StopAsked = std::function<bool()>;

// `stop_asked`, where given, is looked at after each epoch: true ends the run at once, with a certificate.
// `known`: a point to begin with, such as that of a warm start; the best of it is kept like any other.
// `spent`: seconds that making the solver took; they are part of solving.
Outcome run(Solver& solver, const Problem& problem, const Criteria& criteria, const Observers& observers = {},
            const StopAsked& stop_asked = {}, const Point* known = nullptr, double spent = 0);

}  // namespace seesaw
