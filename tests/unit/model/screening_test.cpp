// Features proved to be 0: compared with problems solved to floating-point accuracy, and with certificates of other methods.
#include "model/screening.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "run/fit.h"
#include "support/problems.h"
#include "support/specs.h"

namespace seesaw {
namespace screening_test {

using test::spec_of;

TEST(Screening, norms_are_those_of_the_weighted_columns_minus_their_means_for_a_free_intercept) {
  for (const Intercept intercept : {Intercept::none, Intercept::free}) {
    Dataset data = test::random_data(30, 6, Target::number, 3);
    for (std::size_t i = 0; i < 30; ++i) data.weights.push_back(0.5 + double(i % 4));
    Objective objective;
    objective.loss = "squared";
    objective.l1 = 0.1;
    objective.intercept = intercept;
    const Problem problem = make_problem(data, objective);
    const std::vector<double> norms = screening_norms(problem);
    const test::Matrix a = test::matrix_of(data);
    for (std::size_t j = 0; j < 6; ++j) {
      long double mean = 0, square = 0;
      for (std::size_t i = 0; i < 30; ++i)
        mean += intercept == Intercept::free ? problem.normalized_weight[i] * a[i][j] : 0;
      for (std::size_t i = 0; i < 30; ++i) square += problem.normalized_weight[i] * (a[i][j] - mean) * (a[i][j] - mean);
      EXPECT_NEAR(norms[j], double(std::sqrt(square)), 1e-9);
    }
  }
}

std::vector<double> image(const Problem& problem, std::vector<double> y) {  // A^T C y
  std::vector<double> v(problem.d());
  for (std::size_t i = 0; i < y.size(); ++i) y[i] *= problem.normalized_weight[i];
  multiply_transposed(problem.data->rows, y.data(), v.data());
  return v;
}

// The dual optimum lies in the ball, its image within the bounds, and no feature that is proved to be 0 at an inexact
// point has a weight at the optimum. The inexact points are those of another method, stopped early; the optimum has a gap
// of 1e-13.
TEST(Screening, never_drops_a_feature_that_the_optimum_uses) {
  int problems = 0;
  std::size_t proved_in_all = 0;
  double tightest = 0;  // distance over radius
  for (std::uint64_t seed = 1; seed <= 30; ++seed)
    for (const LossKind& kind : loss_kinds())
      if (kind.gamma() > 0)
        for (const double lambda : {0.0, 0.01})
          for (const Intercept intercept : {Intercept::none, Intercept::free}) {
            Dataset data = test::random_data(25, 12, kind.target, seed);
            if (seed % 2 == 0)
              for (std::size_t i = 0; i < data.n(); ++i) data.weights.push_back(0.25 + double(i % 5));
            FitSpec spec = spec_of(recipe_named("ws"), kind, lambda, 0.02 * double(1 + seed % 5), intercept);
            spec.criteria.gap_abs = 1e-13;
            const Fit exact = fit(data, spec);
            ASSERT_LE(exact.outcome.certificate.gap, 1e-11) << kind.name;
            const Problem problem = make_problem(data, spec.objective);
            FitSpec rough = spec;
            rough.solver.name = "primal-ag";
            for (const double passes : {2.0, 20.0, 200.0}) {
              rough.criteria.max_passes = passes;
              const Fit early = fit(data, rough);
              ASSERT_TRUE(early.proved_zero.has_value());
              const std::vector<double>&y = early.outcome.point.y, &best = exact.outcome.point.y;
              const std::vector<double> v = image(problem, y), v_best = image(problem, best);
              const std::vector<double> norms = screening_norms(problem);
              const Certificate& certificate = early.outcome.certificate;
              const double radius = screening_radius(problem, certificate.primal, certificate.gap);
              double distance = 0;
              for (std::size_t i = 0; i < y.size(); ++i)
                distance += problem.normalized_weight[i] * std::pow(y[i] - best[i], 2);
              EXPECT_LE(std::sqrt(distance), radius + 1e-5) << kind.name;  // the ball
              tightest = std::max(tightest, std::sqrt(distance) / radius);
              std::size_t proved = 0;
              for (std::size_t j = 0; j < v.size(); ++j) {
                EXPECT_LE(std::abs(v[j] - v_best[j]), norms[j] * radius + 1e-5) << kind.name;
                if (!proved_zero(v[j], norms[j], radius, problem.penalty.l1())) continue;
                ++proved;
                EXPECT_EQ(exact.model.x[j], 0) << fmt::format("{} lambda {} intercept {} seed {} passes {}", kind.name,
                                                              lambda, name_of(intercept), seed, passes);
              }
              EXPECT_EQ(proved, *early.proved_zero);
              proved_in_all += proved;
              ++problems;
            }
          }
  EXPECT_GT(tightest, 0.5);  // the ball is not much larger than necessary
  EXPECT_GT(problems, 500);
  EXPECT_GT(proved_in_all, 1000u);  // many features are proved
}

TEST(Screening, proves_every_feature_zero_above_the_largest_useful_l1_and_none_without_l1) {
  const Dataset data = test::random_data(40, 5, Target::sign, 4);
  FitSpec spec = spec_of(recipe_named("ws"), loss_kind("logistic"), 0, 10, Intercept::free);
  EXPECT_EQ(fit(data, spec).proved_zero, 5u);
  spec.solver.name = "primal-ag";
  spec.objective.l1 = 0.01;
  spec.criteria.max_passes = 0;
  EXPECT_EQ(fit(data, spec).proved_zero, 0u);
  spec.objective.l1 = 0;
  spec.objective.lambda = 0.1;
  EXPECT_FALSE(fit(data, spec).proved_zero.has_value());  // no l1
  spec.objective.loss = "hinge";
  spec.objective.l1 = 0.1;
  EXPECT_FALSE(fit(data, spec).proved_zero.has_value());  // nonsmooth
}

// Multiclass: a feature counts if it has weight 0 in all classes, by the one gap of softmax or the gaps per class of
// one-versus-rest.
TEST(Screening, counts_features_without_weight_in_any_class) {
  for (const char* loss : {"softmax", "smooth-hinge"}) {
    const Dataset data = test::random_classes(60, 8, 3, 9);
    FitSpec spec = spec_of(recipe_named("sdca"), loss_kind(loss), 0.02, 0.12, Intercept::free);
    spec.criteria.gap_abs = 1e-10;
    const Fit result = fit(data, spec);
    std::size_t zeros = 0;
    for (std::size_t j = 0; j < 8; ++j)
      zeros += result.model.x[3 * j] == 0 && result.model.x[3 * j + 1] == 0 && result.model.x[3 * j + 2] == 0;
    ASSERT_TRUE(result.proved_zero.has_value());
    EXPECT_GT(*result.proved_zero, 0u) << loss;
    EXPECT_LE(*result.proved_zero, zeros) << loss;
    spec.objective.l1 = 10;
    EXPECT_EQ(fit(data, spec).proved_zero, 8u) << loss;
  }
}

}  // namespace screening_test
}  // namespace seesaw
