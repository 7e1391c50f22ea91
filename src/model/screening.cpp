#include "model/screening.h"

#include <algorithm>
#include <cmath>

#include "base/cancel.h"
#include "base/tree_sum.h"
#include "data/resident.h"
#include "kernels/at_level.h"

namespace seesaw {

std::vector<double> screening_norms(const Problem& problem) {
  struct Moments {
    double square = 0, mean = 0;
    Moments& operator+=(const Moments& other) {
      square += other.square;
      mean += other.mean;
      return *this;
    }
  };
  std::vector<double> norms(problem.d());
  std::vector<Moments> moments(problem.d());
  // Dense rows: squares and means as two arrays, so that the loop over the columns is vectorized; the same operations.
  const auto add_dense = [&](const auto& rows, std::size_t begin, std::size_t end, Moments* part) {
    const std::size_t d = norms.size();
    std::vector<double> sums(2 * d);
    double* const __restrict square = sums.data(), * const __restrict mean = sums.data() + d;
    for (std::size_t j = 0; j < d; ++j) square[j] = part[j].square, mean[j] = part[j].mean;
    resident(rows, begin, end, [&](std::size_t first, std::size_t last) {
      at_level([&]() __attribute__((always_inline)) {
        for (std::size_t i = first; i < last; ++i) {
          const double c = problem.normalized_weight[i];
          const auto* const row = rows.row(i).value;
          for (std::size_t j = 0; j < d; ++j) {
            const auto a = static_cast<double>(row[j]);
            square[j] += c * a * a;
            mean[j] += c * a;
          }
        }
      });
    });
    for (std::size_t j = 0; j < d; ++j) part[j] = {square[j], mean[j]};
  };
  std::visit(
      [&](const auto& rows) {
        const CancelPoll poll;
        tree_sum(leaves_for_vectors(rows), moments.size(), moments.data(),
                 [&](std::size_t begin, std::size_t end, Moments* part) {
                   poll();
                   if constexpr (!requires { rows.row(0).column; })
                     if (end - begin >= 16) return add_dense(rows, begin, end, part);
                   resident(rows, begin, end, [&](std::size_t first, std::size_t last) {
                     for (std::size_t i = first; i < last; ++i) {
                       const double c = problem.normalized_weight[i];
                       for_each(rows.row(i), [&](std::size_t j, double a) { part[j] += {c * a * a, c * a}; });
                     }
                   });
                 });
      },
      problem.data->rows);
  for (std::size_t j = 0; j < norms.size(); ++j) {
    norms[j] = moments[j].square;
    const double mean = problem.free_intercept() ? moments[j].mean : 0;
    constexpr double rounding = 1e-12;  // of the difference
    norms[j] = std::sqrt(std::max(norms[j] - mean * mean, 0.0) + rounding * norms[j]);
  }
  return norms;
}

double screening_radius(const Problem& problem, double primal, double gap) {
  constexpr double rounding = 1e-15;
  return std::sqrt(2 * (gap + rounding * std::abs(primal)) / problem.gamma());
}

}  // namespace seesaw
