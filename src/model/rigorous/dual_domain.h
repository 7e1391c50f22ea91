// Dual points that are in their closed domain as exact numbers.
#pragma once

#include <vector>

#include "model/problem.h"
#include "model/rigorous/bounded.h"
#include "model/rigorous/row_weights.h"

namespace seesaw::rigorous {

// Clips every y_i into the domain of its phi_i*, every block into the simplex: the entries of the other classes >= 0,
// and their exact sum at most 1; that of the true class is minus their sum, rounded. Entries whose products with
// weights would underflow become 0, and so does NaN. False: nothing but 0 is left.
bool into_domain(const Problem& problem, const RowWeights& weights, std::vector<double>& y);

// The exact sum of the entries of the other classes, each >= 0: within `relative` of it.
Twofold sum_of_others(std::size_t b, const double* y, std::size_t classes);
inline double relative_error_of_others(std::size_t classes) {
  const double k = static_cast<double>(classes) + 4;
  return 2 * k * k * unit * unit;
}

}  // namespace seesaw::rigorous
