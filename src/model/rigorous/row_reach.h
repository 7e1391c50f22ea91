// How far a score a.x can be from a.c for |x - c|_f <= 1: the dual norm of the row, |a| = sqrt(sum_j a_j^2 / f_j).
#pragma once

#include <algorithm>
#include <atomic>
#include <cmath>
#include <vector>

#include "base/parallel_elements.h"
#include "data/dataset.h"
#include "data/resident.h"
#include "model/problem.h"
#include "model/rigorous/bounded.h"

namespace seesaw::rigorous {

inline constexpr double least_square = 0x1p-900, largest_square = 0x1p1000;  // between: nothing left the normal numbers
inline double reach_of_square(double sum) { return std::sqrt(sum * (1 + 0x1p-20)); }

// An upper bound; `factors` per feature, empty: all 1. 2^-20 is above the rounding of 2^32 terms.
template <class Row>
double row_reach(Row a, const double* factors) {
  const auto squares_of = [&](double scale) {
    double sum = 0;
    for_each(a, [&](std::size_t j, double value) {
      const double t = value * scale;
      sum += factors == nullptr || t == 0 ? t * t : t * t / factors[j];
    });
    return sum;
  };
  const double sum = squares_of(1);
  if (sum > least_square && sum < largest_square) return reach_of_square(sum);
  double largest = 0;  // squares that may have left the range of normal numbers
  for_each(a, [&](std::size_t, double value) { largest = std::max(largest, std::abs(value)); });
  if (largest == 0) return 0;
  const int exponent = std::ilogb(largest);
  const double scaled =
      std::sqrt((squares_of(std::ldexp(1.0, -std::clamp(exponent, -1000, 1000))) + 0x1p-900) * (1 + 0x1p-20));
  return up(std::ldexp(scaled, std::clamp(exponent, -1000, 1000))) + underflow;
}

inline std::vector<double> row_reaches(const Rows& rows, const std::vector<double>& factors) {
  std::vector<double> reach;
  std::visit(
      [&](const auto& a) {
        reach.resize(a.count());
        resident_chunks(a, chunks_of(a.count(), 1024), [&](std::size_t begin, std::size_t end) {
          for (std::size_t i = begin; i < end; ++i)
            reach[i] = row_reach(a.row(i), factors.empty() ? nullptr : factors.data());
        });
      },
      rows);
  return reach;
}

// Of the rows of a problem: from its squared norms, which are computed once, where there are no factors and no square
// has left the range of normal numbers. An empty row has the norm 0.
inline std::vector<double> row_reaches(const Problem& problem) {
  if (problem.penalty.has_factors()) return row_reaches(problem.data->rows, problem.penalty.features().l2_factor);
  std::vector<double> reach = problem.squared_row_norms();
  std::atomic<bool> known = true;
  std::visit(
      [&](const auto& a) {
        parallel_elements(reach.size(), [&](std::size_t i) {
          const bool normal = reach[i] > least_square && reach[i] < largest_square;
          if (!normal && a.row(i).size != 0) known.store(false, std::memory_order_relaxed);
          reach[i] = reach_of_square(reach[i]);
        });
      },
      problem.data->rows);
  return known ? reach : row_reaches(problem.data->rows, {});
}

}  // namespace seesaw::rigorous
