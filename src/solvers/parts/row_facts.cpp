#include <algorithm>
#include <cmath>

#include "solvers/parts/step_rule.h"

namespace seesaw {

// t^2 = lambda/kappa with kappa = 3 lambda/mean|a_i|^2, so that scaling the data scales nothing else; and no smaller
// than what lets a pass move the intercept by what the loss asks for (docs/solvers/dual_ascent.md).
RowFacts::RowFacts(const Problem& problem)
    : n(problem.n()), lambda(problem.lambda), share(problem.share), square(squared_row_norms(*problem.data)) {
  if (problem.free_intercept()) {
    double mean_square = 0, mean_target = 0;
    for (std::size_t i = 0; i < n; ++i) {
      mean_square += share[i] * square[i];
      mean_target += share[i] * std::abs(problem.target[i]);
    }
    const double gamma = problem.gamma();
    const double least = gamma > 0 ? 3 * gamma : problem.block_loss || mean_target == 0 ? 1 : mean_target;
    bias_entry = std::sqrt(std::max(mean_square / 3, least * lambda));
    if (bias_entry == 0) bias_entry = 1;
    for (double& s : square) s += bias_entry * bias_entry;
  }
  for (std::size_t i = 0; i < n; ++i)
    if (!empty(i)) drawable.push_back(static_cast<std::uint32_t>(i));
  m = static_cast<double>(drawable.size());
  norm.resize(n);
  for (std::size_t i = 0; i < n; ++i) norm[i] = std::sqrt(m * share[i] * square[i]);
  for (std::uint32_t i : drawable) {
    largest = std::max(largest, norm[i]);
    mean += norm[i] / m;
  }
}

}  // namespace seesaw
