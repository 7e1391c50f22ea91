// Recomputes the bounds P and D.
#pragma once

#include <vector>

#include "verify/problems.h"
#include "verify/stated_problem.h"

namespace seesaw::verifier {

struct Bounds {
  Ball primal;  // contains P(x, b)
  Ball dual;    // its lower end is at most the optimum; -infinity if y is not feasible
};

// One per output; a single one for a block loss. Infeasible dual variables are added to `problems`.
std::vector<Bounds> recompute(const StatedProblem& problem, Problems& problems);

}  // namespace seesaw::verifier
