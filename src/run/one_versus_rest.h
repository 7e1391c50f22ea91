// Separable problems: K scalar problems over the same data, weights and penalty, solved in parallel. One-versus-rest has
// one per class, several targets have one per target.
#pragma once

#include <functional>
#include <vector>

#include "run/run.h"
#include "run/warm_start.h"

namespace seesaw {

struct SeparableParts {
  std::vector<double> labels;                   // of each part: the class, or the number of the target
  std::function<Problem(std::size_t)> problem;  // of part k
  const char* name;                             // of a part, for messages: class, target
};

// The outcomes of all parts ("classes" below) as one: weights and dual points interleaved by class, P, D, gap, passes and seconds summed
// (so with several threads there are more seconds than of wall time). Converged if every class meets the criteria by
// itself; otherwise the termination is the most severe one of its classes. `criteria.seconds` is for all classes, divided
// equally among those left; `max_passes` is per class. Classes that an interrupt leaves unsolved keep their start, with a
// certificate. Observers and `should_stop` are called by one thread at a time, class after class; the outcome does not
// depend on the number of threads. With checkpoints, those of each class; the outcomes of finished classes are kept.
Outcome run_parts(const RunInfo& info, const SeparableParts& parts, const WarmStart& begin, const Observers& observers,
                  const StopPredicate& should_stop, const Checkpoints* checkpoints = nullptr);
Outcome run_one_versus_rest(const RunInfo& info, const WarmStart& begin, const Observers& observers,
                            const StopPredicate& should_stop, const Checkpoints* checkpoints = nullptr);

}  // namespace seesaw
