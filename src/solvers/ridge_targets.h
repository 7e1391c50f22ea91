// The squared loss with an l2 penalty and several targets: one factorization for all of them,
//
//     (A^T C A + lambda I) x_k = A^T C b_k        bordered for a free intercept
//
// followed by steps of iterative refinement, since the residual is that of the data.
#pragma once

#include "data/readers/targets.h"
#include "model/certificate.h"
#include "model/problem.h"

namespace seesaw {

// l2 alone, equal for all features, and few enough features for a matrix. `problem`: of one target.
bool ridge_targets_supported(const Problem& problem);

struct RidgeTargets {
  Point point;        // interleaved: K numbers per feature and row
  double passes = 0;  // over the rows: assembly and products
};
RidgeTargets solve_ridge_targets(const Problem& problem, const Targets& targets);

}  // namespace seesaw
