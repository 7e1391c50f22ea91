// Bounds on the optimum P* of a problem: dual <= P* <= primal. The only struct for P, D and the gap, from a check
// to the model file, the trace and the page.
#pragma once

#include "base/scalar.h"

namespace seesaw {

struct Bounds {
  double primal = infinity;  // an upper bound of P at some x
  double dual = -infinity;   // a lower bound of D at some feasible y
  double gap = infinity;     // as proved, not recomputed: a sum of terms >= 0, which primal - dual cancels

  double relative_gap() const { return gap == 0 ? 0 : gap / primal; }
};

}  // namespace seesaw
