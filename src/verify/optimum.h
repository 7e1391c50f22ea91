// The claim about where the optimum is (model/optimum_bounds.h), recomputed. The verifier has a ball of its own, from its
// own gap and u = argmin_x g(x) - <v, x>: centre (x + u)/2, radius^2 = gap/lambda - |x - u|_f^2/4. The claim holds if that
// ball is inside the claimed one. Intercepts are checked at the ends of their intervals, over the claimed ball.
#pragma once

#include <vector>

#include "verify/problems.h"
#include "verify/stated_problem.h"

namespace seesaw::verifier {

// `gap`, `primal`: recomputed, from above; one per output, a single one for a block loss. Precondition: the model has the
// claim, and its dual point is feasible.
struct OwnBounds {
  double primal, gap;
};
void check_optimum(const StatedProblem& problem, const std::vector<OwnBounds>& own, Problems& problems);

// Of output k, or of all outputs of a block loss. `centre`: K numbers per column of problem.data.
void check_intercepts(const StatedProblem& problem, const std::vector<double>& centre, std::size_t k, double primal,
                      Problems& problems);

}  // namespace seesaw::verifier
