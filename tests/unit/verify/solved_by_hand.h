// Models of small problems solved by hand, and what the verifier must find about a model.
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "seesaw/error.h"
#include "support/claims.h"
#include "support/expectations.h"
#include "support/table.h"
#include "verify/verify.h"

namespace seesaw::test {

inline Dataset data_of(const Matrix& matrix, std::vector<double> labels, Storage storage = Storage::sparse) {
  Dataset data = table(matrix, storage);
  data.labels = std::move(labels);
  data.source = "train.svm";
  return data;
}

// A model of this data that claims P, D and their difference.
inline LinearModel claiming(const Dataset& data, double primal, double dual) {
  LinearModel model;
  model.certificate = Certificate{{primal, dual, primal - dual}};
  model.n = data.n();
  model.data_hash = content_hash(data);
  model.status = "converged";
  return model;
}

inline void expect_holds(const Dataset& data, const LinearModel& model) {
  const Verification verdict = verify(data, loosened(model));
  EXPECT_TRUE(verdict.holds);
  EXPECT_EQ(verdict.problems, std::vector<std::string>{});
  EXPECT_NEAR(verdict.primal, model.certificate->primal, 1e-12 * (1 + std::abs(verdict.primal)));
  EXPECT_NEAR(verdict.dual, model.certificate->dual, 1e-12 * (1 + std::abs(verdict.dual)));
}

inline void expect_problem(const Dataset& data, const LinearModel& model, const std::string& sentence) {
  const Verification verdict = verify(data, model);
  EXPECT_FALSE(verdict.holds);
  EXPECT_TRUE(contains(fmt::format("{}", fmt::join(verdict.problems, "\n")), sentence));
}

inline std::string refusal_of(const Dataset& data, const LinearModel& model) {
  return sentence_of<Error>([&] { verify(data, model); });
}

// Analytic optima: y_i = z_i - b_i.

struct Solved {
  Dataset data;
  LinearModel model;
};

// mean (x - b)^2/2 + x^2/2, b = 1, 3: x = 1, v = 1, P = 1 + 1/2.
inline Solved ridge() {
  const Dataset data = data_of({{1}, {1}}, {1, 3});
  LinearModel model = claiming(data, 1.5, 1.5);
  model.objective.loss = "squared";
  model.objective.lambda = 1;
  model.x = {1};
  model.y = {0, -2};
  model.certificate->distance_bound = 0;
  return {data, model};
}

// mean (+-x + b - b_i)^2/2 + x^2/2, b_i = 0, 4: x = 1, b = 2.
inline Solved ridge_with_free_intercept() {
  const Dataset data = data_of({{-1}, {1}}, {0, 4});
  LinearModel model = claiming(data, 1, 1);
  model.objective.loss = "squared";
  model.objective.lambda = 1;
  model.objective.intercept = Intercept::free;
  model.x = {1};
  model.intercept = {2};
  model.y = {1, -1};
  return {data, model};
}

// mean (x - b)^2/2 + |x|/2, b = 1, 3: x = 3/2, v = 1/2 = l1.
inline Solved lasso() {
  const Dataset data = data_of({{1}, {1}}, {1, 3});
  LinearModel model = claiming(data, 1.375, 1.375);
  model.objective.loss = "squared";
  model.objective.l1 = 0.5;
  model.x = {1.5};
  model.y = {0.5, -1.5};
  return {data, model};
}

// mean (x - b)^2/2, b = 1, 3: x = 2, v = 0.
inline Solved least_squares() {
  const Dataset data = data_of({{1}, {1}}, {1, 3});
  LinearModel model = claiming(data, 0.5, 0.5);
  model.objective.loss = "squared";
  model.x = {2};
  model.y = {1, -1};
  return {data, model};
}

// mean (1 - b_i x)_+ + x^2/2 over b_i = -1 (label 2) at a = -1 and +1 (label 5) at a = 1: x = 1, p = 1, P = D = 1/2.
inline Solved hinge() {
  const Dataset data = data_of({{-1}, {1}}, {2, 5});
  LinearModel model = claiming(data, 0.5, 0.5);
  model.objective.loss = "hinge";
  model.objective.lambda = 1;
  model.labels = {2, 5};
  model.x = {1};
  model.y = {1, -1};
  return {data, model};
}

inline std::vector<Solved> solved_by_hand() {
  return {ridge(), ridge_with_free_intercept(), lasso(), least_squares(), hinge()};
}

}  // namespace seesaw::test
