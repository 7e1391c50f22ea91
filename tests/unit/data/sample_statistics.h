// Statistics of generated data.
#pragma once

#include <cmath>
#include <numeric>
#include <vector>

#include "data/synthetic.h"
#include "support/table.h"

namespace seesaw::test {

inline double mean(const std::vector<double>& numbers) {
  return std::accumulate(numbers.begin(), numbers.end(), 0.0) / static_cast<double>(numbers.size());
}

inline double deviation(const std::vector<double>& numbers) {
  const double centre = mean(numbers);
  double squares = 0;
  for (const double number : numbers) squares += (number - centre) * (number - centre);
  return std::sqrt(squares / static_cast<double>(numbers.size()));
}

inline double product(const std::vector<double>& a, const std::vector<double>& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

inline Matrix transposed(const Matrix& rows) {
  Matrix columns(rows[0].size(), std::vector<double>(rows.size()));
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (std::size_t j = 0; j < rows[i].size(); ++j) columns[j][i] = rows[i][j];
  return columns;
}

// The relative norm of the residual of b on the columns (Gram-Schmidt, twice for accuracy).
inline double unexplained(const Matrix& rows, std::vector<double> b) {
  const double size = std::sqrt(product(b, b));
  std::vector<std::vector<double>> basis;
  const auto remove_basis = [&](std::vector<double>& vector) {
    for (int repetition = 0; repetition < 2; ++repetition)
      for (const auto& direction : basis) {
        const double fraction = product(direction, vector);
        for (std::size_t i = 0; i < vector.size(); ++i) vector[i] -= fraction * direction[i];
      }
  };
  for (std::vector<double>& column : transposed(rows)) {
    const double before = std::sqrt(product(column, column));
    remove_basis(column);
    const double length = std::sqrt(product(column, column));
    if (length <= 1e-12 * before) continue;
    for (double& value : column) value /= length;
    basis.push_back(column);
  }
  remove_basis(b);
  return std::sqrt(product(b, b)) / size;
}

inline SynthOptions regression(std::size_t n, std::size_t d) { return {.n = n, .d = d, .task = Task::regression}; }

}  // namespace seesaw::test
