// Small random problems with empty rows, zeros and noise, and the objective evaluated directly in long double.
#pragma once

#include <string>
#include <vector>

#include "base/rng.h"
#include "model/problem.h"
#include "support/formulas.h"
#include "support/table.h"

namespace seesaw::test {

// Entries are multiples of 1/8, so that they are exact in float; about a third are zero; row 3 is empty.
inline Matrix random_matrix(std::size_t n, std::size_t d, std::uint64_t seed) {
  Rng rng(seed);
  Matrix matrix(n, std::vector<double>(d));
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < d; ++j) {
      const double value = std::round(8 * rng.normal()) / 8;
      if (rng.uniform() > 0.33 && i != 3) matrix[i][j] = value;
    }
  return matrix;
}

// Labels from a linear model with noise: signs (2 and 5, to test the mapping) or numbers.
inline std::vector<double> random_labels(const Matrix& matrix, Target target, std::uint64_t seed) {
  Rng rng(seed + 1000);
  std::vector<double> truth(matrix[0].size()), labels;
  for (double& t : truth) t = rng.normal();
  for (const auto& row : matrix) {
    double score = 0.7 + rng.normal();
    for (std::size_t j = 0; j < row.size(); ++j) score += row[j] * truth[j];
    labels.push_back(target == Target::number ? score : score > 0 ? 5 : 2);
  }
  return labels;
}

// Labels 10, 11, ...: the class with the largest score of a linear model with noise.
inline std::vector<double> random_class_labels(const Matrix& matrix, std::size_t classes, std::uint64_t seed) {
  Rng rng(seed + 2000);
  Matrix truth(classes, std::vector<double>(matrix[0].size()));
  for (auto& direction : truth)
    for (double& t : direction) t = rng.normal();
  std::vector<double> labels;
  for (const auto& row : matrix) {
    std::size_t best = 0;
    double highest = -1e300;
    for (std::size_t k = 0; k < classes; ++k) {
      double score = rng.normal() + (k == 0 ? 0.7 : 0);
      for (std::size_t j = 0; j < row.size(); ++j) score += row[j] * truth[k][j];
      if (score > highest) best = k;
      highest = std::max(highest, score);
    }
    labels.push_back(10 + double(best));
  }
  return labels;
}

inline Dataset random_classes(std::size_t n, std::size_t d, std::size_t classes, std::uint64_t seed,
                              Storage storage = Storage::sparse) {
  const Matrix matrix = random_matrix(n, d, seed);
  Dataset data = table(matrix, storage);
  data.labels = random_class_labels(matrix, classes, seed);
  data.source = "random";
  return data;
}

inline Dataset random_data(std::size_t n, std::size_t d, Target target, std::uint64_t seed,
                           Storage storage = Storage::sparse) {
  const Matrix matrix = random_matrix(n, d, seed);
  Dataset data = table(matrix, storage);
  data.labels = random_labels(matrix, target, seed);
  data.source = "random";
  return data;
}

// Repeated, constant and empty features and an empty row, where there is space for them; both classes.
inline Dataset degenerate_data(std::size_t n, std::size_t d, Target target) {
  Matrix matrix = random_matrix(n, d, 21);
  const std::vector<double> labels = random_labels(matrix, target, 21);
  for (auto& row : matrix) {
    if (d > 4) row[4] = row[1];
    if (d > 5) row[5] = 1;
    if (d > 6) row[6] = 0;
  }
  if (n > 9) matrix[9].assign(d, 0.0);
  Dataset data = table(matrix);
  data.labels = labels;
  if (target == Target::sign && n > 1) data.labels[0] = data.labels[1] == 2 ? 5 : 2;
  return data;
}

// P(x, b) in long double.
inline long double slow_primal(const Problem& p, const std::vector<double>& x, double b) {
  const Matrix a = matrix_of(*p.data);
  long double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    long double z = b;
    for (std::size_t j = 0; j < x.size(); ++j) z += (long double)a[i][j] * x[j];
    sum += p.normalized_weight[i] *
           phi_by_hand<long double>(std::string(p.kind->name), p.loss_parameter, p.scalar().target[i], z);
  }
  for (double xj : x) sum += p.penalty.l2() / 2 * (long double)xj * xj + p.penalty.l1() * std::abs((long double)xj);
  return sum;
}

// D(y) in long double. Precondition: y is feasible.
inline long double slow_dual(const Problem& p, const std::vector<double>& y) {
  const Matrix a = matrix_of(*p.data);
  long double sum = 0;
  std::vector<long double> v(p.d());
  for (std::size_t i = 0; i < a.size(); ++i) {
    sum -= p.normalized_weight[i] *
           conjugate_by_hand<long double>(std::string(p.kind->name), p.loss_parameter, p.scalar().target[i], y[i]);
    for (std::size_t j = 0; j < v.size(); ++j) v[j] -= (long double)p.normalized_weight[i] * y[i] * a[i][j];
  }
  for (long double vj : v) {
    const long double s = std::max(0.0L, std::abs(vj) - (long double)p.penalty.l1());
    if (p.penalty.l2() > 0) sum -= s * s / (2 * (long double)p.penalty.l2());
    else if (s > 1e-12L * p.penalty.l1() + 1e-13L) return -std::numeric_limits<long double>::infinity();
  }
  return sum;
}

}  // namespace seesaw::test
