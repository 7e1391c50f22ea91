// The squared loss with l1 and l2: P, D and A^T C y in quad precision, data with columns of very different sizes, and fits by
// ws.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "run/fit.h"
#include "support/problems.h"
#include "support/quad.h"

namespace seesaw::test {

inline Objective lasso(double l1, Intercept intercept) {
  Objective objective;
  objective.loss = "squared";
  objective.regularizer = "l1";
  objective.l1 = l1;
  objective.intercept = intercept;
  return objective;
}

struct LassoTruth {
  Quad primal = 0, dual = 0, largest_v = 0;
  std::vector<Quad> image;  // sum_i s_i y_i a_i
};

inline LassoTruth truth_of(const Problem& p, const Point& point) {
  const Matrix a = matrix_of(*p.data);
  LassoTruth truth;
  std::vector<Quad> v(p.d());
  Quad total = 0;
  const auto weight = [&](std::size_t i) { return p.data->weights.empty() ? Quad(1) : Quad(p.data->weights[i]); };
  for (std::size_t i = 0; i < a.size(); ++i) total += weight(i);
  for (std::size_t i = 0; i < a.size(); ++i) {
    const Quad c = weight(i) / total, t = p.scalar().target[i], y = point.y[i];
    Quad z = p.free_intercept() ? point.intercept[0] : 0;
    for (std::size_t j = 0; j < p.d(); ++j) {
      z += Quad(a[i][j]) * point.x[j];
      v[j] += c * y * a[i][j];
    }
    truth.primal += c * (z - t) * (z - t) / 2;
    truth.dual -= c * (t * y + y * y / 2);
  }
  const Quad l1 = p.penalty.l1(), l2 = p.penalty.l2();
  for (std::size_t j = 0; j < p.d(); ++j) {
    truth.primal += l1 * size(Quad(point.x[j])) + l2 * point.x[j] * point.x[j] / 2;
    truth.largest_v = std::max(truth.largest_v, size(v[j]));
    const Quad beyond = size(v[j]) - l1;
    if (l2 > 0 && beyond > 0) truth.dual -= beyond * beyond / (2 * l2);
    truth.image.push_back(v[j] * total);
  }
  return truth;
}

// Columns whose sizes differ by up to 1e6, labels with an offset.
inline Dataset uneven_data(std::uint64_t seed, bool weighted, double offset) {
  Matrix matrix = random_matrix(70, 9, seed);
  const std::vector<double> labels = random_labels(matrix, Target::number, seed);
  for (auto& row : matrix)
    for (std::size_t j = 0; j < row.size(); ++j) row[j] *= std::pow(10.0, static_cast<double>(j % 7) - 3);
  Dataset data = table(matrix, seed % 2 == 0 ? Storage::sparse : Storage::dense);
  data.labels = labels;
  data.source = "random";
  for (double& label : data.labels) label += offset;
  if (weighted) {
    Rng rng(seed + 1);
    for (std::size_t i = 0; i < data.n(); ++i) data.weights.push_back(0.1 + rng.uniform());
  }
  return data;
}

inline Point fitted(const Dataset& data, const Objective& objective, double gap) {
  FitSpec spec;
  spec.objective = objective;
  spec.solver.name = "ws";
  spec.criteria.gap = gap;
  return fit(data, spec).outcome.point;
}

}  // namespace seesaw::test
