// One class against the rest: K problems of two classes that share data, shares and coefficients, solved side by side.
#pragma once

#include "run/run.h"
#include "run/warm_start.h"

namespace seesaw {

// The outcomes of all classes as one: weights and dual points side by side, P, D, gap, passes and seconds summed (so
// with several threads there are more of these seconds than on a clock). Converged when every class meets the criteria
// by itself; otherwise it ended as the gravest of its classes. `criteria.seconds` is for all classes, in equal shares
// of what is left, `max_passes` for each. Classes that an interrupt leaves unreached stay where they started, with a
// certificate all the same. Observers and `stop_asked` are called by one thread at a time, class after class; the
// outcome does not depend on the number of threads.
Outcome run_one_versus_rest(const RunInfo& whole, const WarmStart& begin, const Observers& observers,
                            const StopAsked& stop_asked);

}  // namespace seesaw
