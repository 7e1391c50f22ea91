// `auto`: starts the method with the lowest estimated time, and switches to another if the gap falls so slowly that the
// remaining passes would take longer than the other method from its beginning. The new method starts from the current
// primal and dual point.
//
// The rate is measured in passes, not in seconds, so that the same seed gives the same run.
#pragma once

#include <memory>

#include "solvers/auto/estimates.h"
#include "solvers/recipe.h"

namespace seesaw {

// Those of estimates() that support the problem; if there are none, the first supporting method of the catalog.
std::vector<Estimate> candidates(const Problem& problem, const SolverSpec& spec);

// The remaining passes if the gap continues to fall at the rate of the last two fifths of the passes: infinity if it did
// not fall, 0 if there is too little history. The history begins at pass 0 of the current method.
struct CheckedGap {
  double passes, gap;
};
double passes_to_go(const std::vector<CheckedGap>& history, double target);

// Begins with the first of `methods` and takes the others in their order. `selection`: why the first was selected, until
// another takes over (Diagnostics).
std::unique_ptr<Solver> make_auto_solver(const Problem& problem, const SolverSpec& spec, const Start& start,
                                         std::vector<Estimate> methods, std::string selection = {});

}  // namespace seesaw
