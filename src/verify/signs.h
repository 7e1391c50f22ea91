// The claim about signs of optimal weights (`signs` of a model), recomputed. A loss whose conjugate is gamma-strongly convex
// confines the optimal dual point: sum_i c_i (y_i - y*_i)^2 <= 2 gap/gamma. So |v*_j - v_j| is at most
// |a_j - m_j|_c sqrt(2 gap/gamma) + |m_j r|, where m_j = sum_i c_i a_ij and r = sum_i c_i y_i with a free intercept, else 0,
// and -l1 f_j < v*_j < l1 f_j prove that x*_j is not negative and not positive.
#pragma once

#include <vector>

#include "verify/optimum.h"

namespace seesaw::verifier {

// Precondition: the model has the claim, and its dual point is feasible.
void check_signs(const StatedProblem& problem, const std::vector<OwnBounds>& own, Problems& problems);

}  // namespace seesaw::verifier
