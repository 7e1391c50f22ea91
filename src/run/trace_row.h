// The line of a check in the trace, apart from its times and what the method reports.
#pragma once

#include "run/incumbent.h"
#include "run/observer.h"
#include "solvers/solver.h"

namespace seesaw {

TraceRow trace_row(const Problem& problem, const Incumbent& incumbent, const Point& candidate, const Work& work);

}  // namespace seesaw
