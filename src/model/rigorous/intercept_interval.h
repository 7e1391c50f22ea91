// Where an optimal free intercept lies, given intervals [lo_i, hi_i] of the optimal a_i.x*. At an optimal b* the right
// derivative of sum_i c_i phi_i(a_i.x* + b) in b is >= 0 and the left one <= 0. Derivatives of convex functions do not
// decrease, so
//
//     sum_i c_i phi_i'(hi_i + b) < 0  (right derivatives)   implies   b < b*       and
//     sum_i c_i phi_i'(lo_i + b) > 0  (left derivatives)    implies   b > b*
#pragma once

#include <vector>

#include "model/problem.h"
#include "model/rigorous/row_weights.h"

namespace seesaw::rigorous {

// lo_i <= a_i.x* <= hi_i
struct ScoreIntervals {
  std::vector<double> lo, hi;
};

// Scalar problems. `near`: an intercept near the optimal one. About 10 loops over the rows; an end is infinite where no
// b satisfies the condition.
Interval intercept_interval(const Problem& problem, const RowWeights& weights, const ScoreIntervals& scores,
                            double near);

}  // namespace seesaw::rigorous
