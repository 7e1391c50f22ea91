// Without a penalty no dual point of doubles is feasible; where loss and data curve around the weights, the gradient
// there bounds the distance to the optimum (docs/certificates.md). Written apart from training's bound.
#pragma once

#include "verify/stated_problem.h"

namespace seesaw::verifier {

// P of output k is at most this above its optimum; infinity where nothing is proved. Losses of one score only.
double curvature_charge(const StatedProblem& problem, std::size_t k);

}  // namespace seesaw::verifier
