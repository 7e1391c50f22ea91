// A lower bound of the optimum without a penalty, where loss and data curve around the point (docs/certificates.md).
#pragma once

#include "model/certificate.h"
#include "model/rigorous/bounded.h"
#include "model/rigorous/row_weights.h"

namespace seesaw::rigorous {

struct CurvatureBound {
  bool curved = false;       // at the point itself, in every direction: a point nearer to the optimum may prove more
  double charge = infinity;  // P(x, b) is at most this above the optimum
};

// Of losses of one score. Columns that are 0 everywhere are left out; more than `most_columns` are not tried.
// After a request to stop (base/optional_work.h) the charge is infinite.
inline constexpr std::size_t most_columns = 2000;
CurvatureBound curvature_bound(const Problem& problem, const RowWeights& weights, const Bounded<Twofold>& total,
                               const Point& point);

}  // namespace seesaw::rigorous
