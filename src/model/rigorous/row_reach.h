// How far a score a.x can be from a.c for |x - c|_f <= 1: the dual norm of the row, |a| = sqrt(sum_j a_j^2 / f_j).
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "data/dataset.h"
#include "data/resident.h"
#include "model/rigorous/bounded.h"

namespace seesaw::rigorous {

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
  if (sum > 0x1p-900 && sum < 0x1p1000) return std::sqrt(sum * (1 + 0x1p-20));
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

}  // namespace seesaw::rigorous
