// `auto`: begins with the method whose estimate is the lowest, and changes to another where what is measured disagrees
// with what was estimated: where the gap falls so slowly that what remains would take longer than another method from
// the beginning. The new one starts from the point, primal and dual, that the old one has reached.
//
// Measured are passes, not seconds, so that the same seed gives the same run.
#pragma once

#include <memory>

#include "solvers/auto/estimates.h"
#include "solvers/recipe.h"

namespace seesaw {

// Those of estimates() that can solve the problem; any method that can, where none of them does.
std::vector<Estimate> candidates(const Problem& problem, const SolverSpec& spec);

// Passes still needed if the gap goes on falling as it did over the latest two fifths of the passes: infinity where it
// did not, 0 where that cannot be said yet. The history begins at pass 0 of the method at work.
struct Seen {
  double passes, gap;
};
double passes_to_go(const std::vector<Seen>& history, double target);

// Begins with the first of `methods` and takes the others in their order. `selection`: why the first was selected, until
// another takes over (Diagnostics).
std::unique_ptr<Solver> make_auto_solver(const Problem& problem, const SolverSpec& spec, const Start& start,
                                         std::vector<Estimate> methods, std::string selection = {});

}  // namespace seesaw
