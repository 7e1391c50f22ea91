// The loop around every method: epochs, clocks, certificates, trace, stopping, Ctrl-C. Once, here.
#pragma once

#include <functional>

#include "run/observer.h"
#include "solvers/solver.h"

namespace seesaw {

using StopAsked = std::function<bool()>;

// `stop_asked`, where given, is looked at after each epoch: true ends the run at once, with a certificate.
Outcome run(Solver& solver, const Problem& problem, const Criteria& criteria, const Observers& observers = {},
            const StopAsked& stop_asked = {});

}  // namespace seesaw
