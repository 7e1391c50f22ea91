#include <algorithm>
#include <cmath>

#include "solvers/parts/dual/free_intercept.h"
#include "solvers/parts/steps/step_rule.h"

namespace seesaw {

RowFacts::RowFacts(const Problem& problem)
    : n(problem.n()),
      lambda(problem.penalty.l2()),
      normalized_weight(problem.normalized_weight),
      square(problem.squared_row_norms()) {
  const double entry_squared = squared_bias_entry(problem, square, problem.penalty.l2(), problem.gamma());
  bias_entry = std::sqrt(entry_squared);
  for (double& s : square) s += entry_squared;
  for (std::size_t i = 0; i < n; ++i)
    if (!empty(i)) drawable.push_back(static_cast<std::uint32_t>(i));
  m = static_cast<double>(drawable.size());
  norm.resize(n);
  for (std::size_t i = 0; i < n; ++i) norm[i] = std::sqrt(m * normalized_weight[i] * square[i]);
  for (std::uint32_t i : drawable) {
    largest = std::max(largest, norm[i]);
    mean += norm[i] / m;
  }
}

}  // namespace seesaw
