// |C^(1/2) A|_2, the largest singular value of the weighted rows: what the steps of methods that use all rows at once
// are measured by. Without weights it is |A|_2/sqrt(n).
#pragma once

#include "model/problem.h"

namespace seesaw {

// One per cent above the norm, so that it is not below it. `bias_entry`: of the free intercept's column, 0 without one.
// By Lanczos' recurrence on A^T C A from a fixed start: two products by A a step, 2 to 20 steps; the same bits for
// any number of threads. Costs passes that nobody counts, once a problem.
double spectral_norm(const Problem& problem, double bias_entry);

}  // namespace seesaw
