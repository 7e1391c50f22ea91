// The certificate of a problem with losses of groups: P from above and D from below, every rounding error included.
#pragma once

#include "model/certificate.h"
#include "model/groups/group_problem.h"

namespace seesaw {

// y, a number per row, becomes a point of the dual domain that is proved to be one: |y_g|^2 <= 1, or p >= 0 and sum p <= 1,
// as exact numbers. Groups outside are scaled, those that are not finite become 0. Returns whether y was changed.
bool make_feasible(const GroupProblem& problem, std::vector<double>& y);

// primal >= P(x, b), dual <= the optimum; y is made feasible first (with a free intercept its sum becomes 0 to rounding, and
// what is left of it is charged), and replaced by 0 where that gives a higher bound. In twice
// the precision where rounding errors are a significant part of the gap and the gap is above `enough`.
Certificate certify_rigorously(const GroupProblem& problem, Point& point, double enough = 0);

}  // namespace seesaw
