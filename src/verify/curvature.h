// Without a penalty no dual point in floating point is feasible; if the Hessian of P is positive definite near the
// weights, the gradient bounds P - P* (docs/certificates.md). Independent of the implementation used in training.
#pragma once

#include "verify/stated_problem.h"

namespace seesaw::verifier {

// An upper bound of P - P* of output k; infinity if none is proved. Scalar losses only.
double curvature_bound(const StatedProblem& problem, std::size_t k);

}  // namespace seesaw::verifier
