#include "model/screening.h"

#include <algorithm>
#include <cmath>

#include "model/column_moments.h"
#include "model/problem.h"

namespace seesaw {

std::vector<double> screening_norms(const Problem& problem) {
  const ColumnMoments& moments = problem.column_moments();
  std::vector<double> norms(problem.d());
  for (std::size_t j = 0; j < norms.size(); ++j) {
    const double square = moments.second[j] / problem.total_weight;
    const double mean = problem.free_intercept() ? moments.first[j].sum / problem.total_weight : 0;
    constexpr double rounding = 1e-12;  // of the difference
    norms[j] = std::sqrt(std::max(square - mean * mean, 0.0) + rounding * square);
  }
  return norms;
}

double screening_radius(const Problem& problem, double primal, double gap) {
  constexpr double rounding = 1e-15;
  return std::sqrt(2 * (gap + rounding * std::abs(primal)) / problem.gamma());
}

}  // namespace seesaw
