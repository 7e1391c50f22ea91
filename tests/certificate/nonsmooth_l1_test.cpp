// ws with nonsmooth losses: closed forms, the corners of piecewise linear functions, sdca, awkward data.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "seesaw/error.h"
#include "support/problems.h"
#include "support/specs.h"
#include "verify/verify.h"

namespace seesaw {
namespace nonsmooth_l1_test {

using test::spec_of;

FitSpec ws(std::string_view loss, double lambda, double l1, Intercept intercept = Intercept::none) {
  return spec_of(recipe_named("ws"), loss_kind(loss), lambda, l1, intercept);
}

// Rows 3 e_j: 1/n |3 x_j - b_j| + l1 |x_j| has its minimum at b_j/3 if l1 < 3/n, and at 0 otherwise.
TEST(NonsmoothL1, absolute_loss_on_an_orthogonal_design) {
  const std::size_t d = 6;
  test::Matrix matrix(d, std::vector<double>(d));
  std::vector<double> labels;
  for (std::size_t j = 0; j < d; ++j) {
    matrix[j][j] = 3;
    labels.push_back(double(j) - 2.5);
  }
  Dataset data = test::table(matrix);
  data.labels = labels;
  for (const double l1 : {0.1, 0.49, 0.51}) {
    FitSpec spec = ws("absolute", 0, l1);
    spec.criteria.gap_abs = 1e-12;
    const Fit result = fit(data, spec);
    EXPECT_EQ(result.outcome.termination, Termination::converged) << l1;
    for (std::size_t j = 0; j < d; ++j) EXPECT_NEAR(result.model.x[j], l1 < 0.5 ? labels[j] / 3 : 0, 1e-9) << l1;
  }
}

// One feature: P is piecewise linear in x, with its minimum at 0 or where a score meets its target.
TEST(NonsmoothL1, of_one_feature_is_the_lowest_corner) {
  for (const char* loss : {"hinge", "absolute", "quantile", "epsilon-insensitive"}) {
    const Dataset data = test::random_data(41, 1, loss_kind(loss).target, 5);
    for (const double l1 : {1e-3, 0.05, 0.3}) {
      FitSpec spec = ws(loss, 0, l1);
      spec.criteria.gap_abs = 1e-12;
      const Problem problem = make_problem(data, spec.objective);
      const test::Matrix a = test::matrix_of(data);
      const auto& phi = std::get<PiecewiseQuadratic>(problem.scalar().loss);
      const auto value = [&](double x) {
        double sum = l1 * std::abs(x);
        for (std::size_t i = 0; i < a.size(); ++i)
          sum += problem.normalized_weight[i] * phi.value(problem.scalar().target[i], a[i][0] * x);
        return sum;
      };
      double lowest = value(0);
      for (std::size_t i = 0; i < a.size(); ++i)
        for (const double e : {-phi.insensitivity, phi.insensitivity})
          lowest = std::min(lowest, value((problem.scalar().target[i] + e) / a[i][0]));
      const Fit result = fit(data, spec);
      EXPECT_EQ(result.outcome.termination, Termination::converged) << loss << l1;
      EXPECT_NEAR(result.outcome.certificate.primal, lowest, 1e-11) << loss << l1;
    }
  }
}

TEST(NonsmoothL1, agrees_with_sdca_and_verifies) {
  for (const char* loss : {"hinge", "absolute", "quantile", "epsilon-insensitive"})
    for (const Intercept intercept : {Intercept::none, Intercept::free, Intercept::penalized})
      for (const double lambda : {0.0, 0.02}) {
        Dataset data = test::random_data(150, 90, loss_kind(loss).target, 12);
        for (std::size_t i = 0; i < data.n(); ++i) data.weights.push_back(0.5 + double(i % 3));
        FitSpec spec = ws(loss, lambda, 0.01, intercept);
        spec.criteria.gap_abs = 1e-10;
        const Fit result = fit(data, spec);
        EXPECT_EQ(result.outcome.termination, Termination::converged) << loss << lambda;
        EXPECT_TRUE(verify(data, result.model).holds) << loss << lambda;
        if (lambda == 0) continue;  // other methods take too long
        FitSpec other = spec;
        other.solver = {"sdca", {}, 1};
        other.criteria.gap_abs = 1e-5;
        const Fit reference = fit(data, other);
        EXPECT_EQ(reference.outcome.termination, Termination::converged) << loss << lambda;
        EXPECT_LE(result.outcome.certificate.primal, reference.outcome.certificate.primal + 1e-10) << loss << lambda;
        EXPECT_GE(result.outcome.certificate.primal, reference.outcome.certificate.dual - 1e-10) << loss << lambda;
      }
}

// Separable classes, repeated, constant and empty features, an empty row, more features than rows; small and large l1.
TEST(NonsmoothL1, solves_degenerate_data) {
  for (const char* loss : {"hinge", "absolute"})
    for (const auto& [n, d] : {std::pair<std::size_t, std::size_t>{1, 1}, {2, 1}, {12, 30}, {60, 8}})
      for (const double l1 : {1e-6, 1e-2, 1.0, 1e3}) {
        const Target target = loss_kind(loss).target;
        if (target == Target::sign && n == 1) continue;  // one class
        const Dataset data = test::degenerate_data(n, d, target);
        for (const Intercept intercept : {Intercept::none, Intercept::free}) {
          FitSpec spec = ws(loss, 0, l1, intercept);
          spec.criteria.gap_abs = 1e-9;
          const Fit result = fit(data, spec);
          EXPECT_EQ(result.outcome.termination, Termination::converged) << loss << n << ' ' << d << ' ' << l1;
          EXPECT_TRUE(verify(data, result.model).holds) << loss << n << ' ' << d << ' ' << l1;
        }
      }
}

// y would have to be orthogonal to the column of the feature, inside of its bounds.
TEST(NonsmoothL1, refuses_features_without_a_penalty) {
  const Dataset data = test::random_data(40, 3, Target::sign, 6);
  FitSpec spec = ws("hinge", 0, 0.1);
  spec.objective.penalty_factors = {1, 0, 1};
  try {
    fit(data, spec);
    ADD_FAILURE() << "accepted";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("ws needs penalty factors above 0 with a nonsmooth loss"),
              std::string::npos)
        << error.what();
  }
}

TEST(NonsmoothL1, finds_the_same_optimum_with_and_without_path_and_screening) {
  for (const char* loss : {"hinge", "epsilon-insensitive"}) {
    const Dataset data = test::random_data(120, 200, loss_kind(loss).target, 7);
    std::vector<double> optima;
    for (const char* path : {"on", "off"})
      for (const char* screening : {"on", "off"}) {
        FitSpec spec = ws(loss, 0, 0.005, Intercept::free);
        spec.solver.options = {{"path", path}, {"screening", screening}};
        spec.criteria.gap_abs = 1e-10;
        const Fit result = fit(data, spec);
        EXPECT_EQ(result.outcome.termination, Termination::converged) << loss << path << screening;
        optima.push_back(result.outcome.certificate.primal);
      }
    for (const double other : optima) EXPECT_NEAR(other, optima[0], 2e-10) << loss;
  }
}

}  // namespace nonsmooth_l1_test
}  // namespace seesaw
