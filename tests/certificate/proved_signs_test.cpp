// Signs of optimal weights that a certificate proves, compared with problems solved to floating-point accuracy: at early
// stages of other methods, over losses, penalties, intercepts, weights, factors, bounds and classes. tests/oracle compares
// them with exact optima.
#include "model/rigorous/proved_signs.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "model/prediction_bounds.h"
#include "support/problems.h"
#include "support/specs.h"
#include "verify/verify.h"

namespace seesaw {
namespace proved_signs_test {

using test::spec_of;

struct Case {
  const char* loss;
  std::size_t classes;
  double lambda, l1;
  Intercept intercept;
  std::string name() const {
    return fmt::format("{} {} classes lambda {} l1 {} {}", loss, classes, lambda, l1, name_of(intercept));
  }
};

std::vector<Case> cases() {
  std::vector<Case> all;
  for (const double lambda : {0.0, 0.02})
    for (const Intercept intercept : {Intercept::none, Intercept::penalized, Intercept::free}) {
      for (const char* loss :
           {"squared", "huber", "logistic", "squared-hinge", "smooth-hinge", "squared-epsilon-insensitive"})
        all.push_back({loss, 2, lambda, 0.06, intercept});
      if (lambda > 0) all.push_back({"softmax", 3, lambda, 0.03, intercept});
      all.push_back({"logistic", 3, lambda, 0.03, intercept});
    }
  return all;
}

Dataset data_of(const Case& c, std::uint64_t seed) {
  Dataset data = c.classes > 2 ? test::random_classes(40, 9, c.classes, seed)
                               : test::random_data(40, 9, loss_kind(c.loss).target, seed);
  if (seed % 2 == 0)
    for (std::size_t i = 0; i < data.n(); ++i) data.weights.push_back(0.25 + double(i % 5));
  return data;
}

FitSpec spec_for(const Case& c, std::uint64_t seed, std::size_t features) {
  const bool joint = std::string(c.loss) == "softmax";
  FitSpec spec =
      spec_of(recipe_named(c.lambda > 0 ? "sdca" : "primal-ag"), loss_kind(c.loss), c.lambda, c.l1, c.intercept);
  spec.criteria.gap_abs = 0;
  if (seed % 3 == 0 && !joint)
    for (std::size_t j = 0; j < features; ++j) spec.objective.penalty_factors.push_back(0.5 + double(j % 3));
  return spec;
}

bool agrees(char sign, double optimal) {
  constexpr double zero = 1e-7;  // the optimum is known to about this
  if (sign == sign_zero) return std::abs(optimal) < zero;
  if (sign == sign_not_negative) return optimal > -zero;
  return sign != sign_not_positive || optimal < zero;
}

TEST(ProvedSigns, AreThoseOfTheOptimum) {
  std::size_t zeros = 0, half_lines = 0, weights = 0;
  for (const Case& c : cases())
    for (std::uint64_t seed = 1; seed <= 6; ++seed) {
      const Dataset data = data_of(c, seed);
      FitSpec spec = spec_for(c, seed, 9);
      FitSpec fine = spec;
      fine.solver.name = default_solver;
      fine.criteria.gap = 1e-15;
      fine.criteria.gap_abs = 1e-14;
      fine.criteria.max_passes = 3000;
      const Fit exact = fit(data, fine);
      ASSERT_LE(exact.outcome.certificate.gap, 1e-12) << c.name();
      for (const double passes : {1.0, 10.0, 100.0}) {
        spec.criteria.gap = 1e-12;
        spec.criteria.max_passes = passes;
        const Fit early = fit(data, spec);
        const std::string& signs = early.model.proved_signs;
        if (signs.empty()) continue;
        ASSERT_EQ(signs.size(), early.model.x.size());
        for (std::size_t at = 0; at < signs.size(); ++at) {
          EXPECT_TRUE(agrees(signs[at], exact.model.x[at]))
              << c.name() << " seed " << seed << " weight " << at << " " << signs[at] << " " << exact.model.x[at];
          zeros += signs[at] == sign_zero;
          half_lines += signs[at] == sign_not_negative || signs[at] == sign_not_positive;
          ++weights;
        }
        const std::vector<Interval> bounds = weight_bounds(early.model);
        for (std::size_t at = 0; at < bounds.size(); ++at) {
          EXPECT_LE(bounds[at].lo, exact.model.x[at] + 1e-7) << c.name();
          EXPECT_GE(bounds[at].hi, exact.model.x[at] - 1e-7) << c.name();
        }
        EXPECT_EQ(verify(data, early.model).problems, std::vector<std::string>{}) << c.name();
      }
      // Where the gap is small, nearly every weight that is 0 is proved, and the sign of the others on one side.
      std::size_t unknown = 0;
      for (const char sign : exact.model.proved_signs) unknown += sign == sign_unknown;
      EXPECT_EQ(unknown, 0u) << c.name();
      EXPECT_EQ(exact.model.proved_signs.size(), exact.model.x.size());
    }
  EXPECT_GT(zeros, weights / 10);
  EXPECT_GT(half_lines, weights / 10);
}

TEST(ProvedSigns, OfAnEasyProblemAreComplete) {
  const Dataset data = test::random_data(60, 8, Target::number, 5);
  FitSpec spec = spec_of(recipe_named("ws"), loss_kind("squared"), 0, 0.4, Intercept::free);
  const Fit result = fit(data, spec);
  for (std::size_t j = 0; j < 8; ++j) {
    const double x = result.model.x[j];
    EXPECT_EQ(result.model.proved_signs[j], x == 0 ? sign_zero : x > 0 ? sign_not_negative : sign_not_positive);
  }
  EXPECT_GT(*result.proved_zero, 0u);
  EXPECT_EQ(*result.proved_zero, count_zero_features(result.model.proved_signs, 1));
}

TEST(ProvedSigns, ThatAreNotProvedAreRefused) {
  const Dataset data = test::random_data(60, 8, Target::sign, 6);
  for (const double lambda : {0.0, 0.05}) {
    FitSpec spec = spec_of(recipe_named("auto"), loss_kind("logistic"), lambda, 0.05, Intercept::free);
    const LinearModel model = fit(data, spec).model;
    std::size_t used = 0;
    while (model.x[used] == 0) ++used;
    for (const char claim : {sign_zero, model.x[used] > 0 ? sign_not_positive : sign_not_negative}) {
      LinearModel wrong = model;
      wrong.proved_signs[used] = claim;
      EXPECT_FALSE(verify(data, wrong).holds);
    }
    LinearModel shorter = model;
    shorter.proved_signs.pop_back();
    EXPECT_FALSE(verify(data, shorter).holds);
  }
  FitSpec spec = spec_of(recipe_named("auto"), loss_kind("hinge"), 0.1, 0.05, Intercept::free);
  LinearModel model = fit(data, spec).model;
  EXPECT_EQ(model.proved_signs, "");
  EXPECT_TRUE(verify(data, model).holds);
  model.proved_signs.assign(8, sign_zero);
  EXPECT_FALSE(verify(data, model).holds);
}

TEST(ProvedSigns, AreThoseOfBoundedWeights) {
  const Dataset data = test::random_data(60, 8, Target::number, 7);
  FitSpec spec = spec_of(recipe_named("auto"), loss_kind("squared"), 0.01, 0.1, Intercept::free);
  spec.objective.lower.assign(8, 0.0);
  spec.objective.upper.assign(8, 0.3);
  spec.criteria.gap_abs = 1e-12;
  const Fit result = fit(data, spec);
  EXPECT_EQ(verify(data, result.model).problems, std::vector<std::string>{});
  ASSERT_EQ(result.model.proved_signs.size(), 8u);
  for (std::size_t j = 0; j < 8; ++j) EXPECT_TRUE(agrees(result.model.proved_signs[j], result.model.x[j]));
}

}  // namespace proved_signs_test
}  // namespace seesaw
