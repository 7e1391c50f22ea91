// The two bounds, recomputed.
#pragma once

#include <vector>

#include "verify/problems.h"
#include "verify/stated_problem.h"

namespace seesaw::verifier {

struct Bounds {
  Ball primal;  // contains P(x, b)
  Ball dual;    // its lower end is at most the optimum; -infinity where y is not feasible
};

// One per output, or one in all where the loss is of all scores at once. What is not feasible becomes a problem.
std::vector<Bounds> recompute(const StatedProblem& problem, Problems& problems);

}  // namespace seesaw::verifier
