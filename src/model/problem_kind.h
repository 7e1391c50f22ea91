// The kind of a problem, its loss and its penalty: what decides which methods can solve it, before any row is read.
#pragma once

#include <cstddef>

#include "model/problem.h"

namespace seesaw {

// A problem without data: its loss with the standard parameter, its penalty. `classes`: of a block loss.
Problem problem_of_kind(const LossKind& kind, double lambda, double l1, std::size_t classes = 3);

}  // namespace seesaw
