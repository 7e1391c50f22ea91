// Bounds of a metric over all models that a fit can end with, from a point it has reached (docs/tuning.md):
//
//     |x_end - x*| <= sqrt(2 gap_end / lambda)     |x* - centre| <= radius (rigorous/optimum_region.h)
//     sum_i c_i phi_i(a_i.x_end + b_end) <= P(x, b) - min g,   as a run never returns a higher P
//
// The first two confine x_end to a ball; the last one, with each phi_i at its least over the ball, confines b_end.
#pragma once

#include <optional>
#include <vector>

#include "select/fold_problem.h"

namespace seesaw {

// The relative gap at which bounds begin to decide labels or errors, if it is well above that of the criteria; nothing
// where it is not, or where there are no bounds (no l2 penalty, losses of all classes). From the problem alone.
std::optional<double> gap_of_first_bounds(const Problem& problem, const Criteria& criteria);

// Of the metric on the validation rows; nothing where the numbers do not confine it.
// `bounds`: of the problem, or one per class of one-versus-rest.
std::optional<Interval> bounds_of_metric(const Metric& metric, const FoldProblem& fold, const Problem& problem,
                                         const Point& point, const std::vector<Bounds>& bounds,
                                         const Criteria& criteria);

}  // namespace seesaw
