// How far features without a penalty, and the free intercept, can be from 0 where P <= primal. For any y' in the dual
// domain, with w = A^T C y' over them and D' = -Phi*(y') - g*(v(y')) over the other features,  w.x <= primal - D'.
#pragma once

#include <optional>
#include <vector>

#include "verify/stated_problem.h"

namespace seesaw::verifier {

// Columns with the factor 0 and without a bound on at least one side.
std::vector<std::size_t> unpenalized_columns(const StatedProblem& problem);

// |x_j| <= result[m] for the m-th of `columns`, then |b| where it is free; of output k. Nothing where the data gives no
// bound.
std::optional<std::vector<double>> unpenalized_reach(const StatedProblem& problem,
                                                     const std::vector<std::size_t>& columns, std::size_t k,
                                                     double primal);

}  // namespace seesaw::verifier
