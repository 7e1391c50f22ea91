// |C^(1/2) A|_2, the largest singular value of the weighted rows, which determines the step sizes of methods that use
// all rows in each iteration. Without weights it is |A|_2/sqrt(n).
#pragma once

#include "model/problem.h"

namespace seesaw {

// 1 % above the computed norm, so that it is an upper bound. `bias_entry`: the entry of the free intercept's column, 0
// without one. Lanczos recurrence on A^T C A from a fixed start: two products by A per step, usually 12 to 20 steps; the same
// bits for any number of threads. These products are not counted as passes.
double spectral_norm(const Problem& problem, double bias_entry);

}  // namespace seesaw
