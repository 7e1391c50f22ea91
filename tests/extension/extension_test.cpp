// A loss and a penalty added from outside (main.cpp registers them): certified by every method that supports them, equal
// to closed forms. A shape of one coordinate: the laws, and the sums of the certificate.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <stdexcept>
#include <string>

#include "extension/asymmetric_net.h"
#include "extension/column_ridge.h"
#include "extension/huber_epsilon_insensitive.h"
#include "model/certificate_sums.h"
#include "model/losses/register_loss.h"
#include "run/fit.h"
#include "seesaw/seesaw.h"
#include "solvers/catalog.h"
#include "support/penalty_laws.h"
#include "support/problems.h"
#include "support/specs.h"
#include "support/table.h"
#include "verify/verify.h"

namespace seesaw {
namespace extension_test {

const char* const loss_name = "huber-epsilon-insensitive";

Dataset labelled(const test::Matrix& matrix, const std::vector<double>& labels) {
  Dataset data = test::table(matrix);
  data.labels = labels;
  return data;
}

// One row a = 1: minimize phi(x) + (lambda/2) x^2, with epsilon = 1/4.
TEST(Loss, has_the_minimizer_computed_by_hand) {
  struct Case {
    double b, lambda, x, primal;
  };
  const Case cases[] = {{1, 0.5, 0.5, 0.09375},  // quadratic part: x - 3/4 + x/2 = 0
                        {3, 1, 1, 1.75},         // linear part: -1 + x = 0
                        {0.2, 1, 0, 0}};         // within the tube
  for (const Case& c : cases)
    for (const char* method : {"auto", "sdca", "newton", "saga"}) {
      FitSpec spec = test::spec_of(recipe_named(method), loss_kind(loss_name), c.lambda, 0, Intercept::none);
      spec.criteria.gap_abs = 1e-13;
      const Fit fitted = fit(labelled({{1}}, {c.b}), spec);
      EXPECT_NEAR(fitted.model.x[0], c.x, 1e-6) << method << ", b " << c.b;
      EXPECT_NEAR(fitted.outcome.certificate.primal, c.primal, 1e-12) << method << ", b " << c.b;
    }
}

TEST(Loss, is_certified_by_every_method_that_supports_it) {
  const Dataset data = test::random_data(40, 5, Target::number, 11);
  std::size_t methods = 0;
  double best = infinity;
  for (const double l1 : {0.0, 0.02})
    for (const Recipe& recipe : catalog()) {
      const FitSpec spec = test::spec_of(recipe, loss_kind(loss_name), 0.05, l1, Intercept::none);
      if (missing(recipe, make_problem(data, spec.objective))) continue;
      ++methods;
      const Fit fitted = fit(data, spec);
      EXPECT_EQ(fitted.outcome.termination, Termination::converged) << recipe.name;
      double primal = 0;  // by the definition
      const std::vector<double> z = decision_values(fitted.model, data);
      for (std::size_t i = 0; i < z.size(); ++i)
        primal += extension::value_by_hand(0.25, data.labels[i], z[i]) / static_cast<double>(z.size());
      for (const double x : fitted.model.x) primal += 0.025 * x * x + l1 * std::abs(x);
      EXPECT_NEAR(fitted.outcome.certificate.primal, primal, 1e-12) << recipe.name;
      if (l1 > 0) continue;
      if (std::isinf(best)) best = primal;
      EXPECT_NEAR(primal, best, 2e-8) << recipe.name;
    }
  EXPECT_GE(methods, 30U);
}

TEST(Loss, is_used_through_the_interface) {
  const std::vector<LossInfo> known = losses();
  ASSERT_TRUE(std::any_of(known.begin(), known.end(), [](const LossInfo& loss) { return loss.name == loss_name; }));
  const std::vector<double> values = {1}, labels = {1};
  Training training{.penalty = {.lambda = 0.5}, .intercept = Intercept::none, .gap = 1e-10};
  training.loss.name = loss_name;
  const Data data = Data::copy({.rows = 1, .features = 1, .values = values}, {labels});
  const Model model = train(data, training).model;
  EXPECT_NEAR(Model::from_bytes(model.to_bytes()).weights()[0], 0.5, 1e-4);
  try {  // the verifier has its own formulas
    verify(data, model);
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "the verifier does not support the loss huber-epsilon-insensitive.");
  }
}

FitSpec column_ridge_spec(const char* method, Intercept intercept) {
  FitSpec spec = test::spec_of(recipe_named(method), loss_kind("squared"), 1, 0, intercept);
  spec.objective.l1.reset();
  spec.objective.regularizer = "column-ridge";
  spec.criteria.gap_abs = 1e-12;
  return spec;
}

// Rows (2, 0) and (0, 1), targets 2 and 3: f = (2, 1/2), and x = (1, 3) / (1 + lambda).
TEST(Penalty, has_the_minimizer_computed_by_hand) {
  const Dataset data = labelled({{2, 0}, {0, 1}}, {2, 3});
  for (const char* method : {"auto", "sdca", "spdc", "saga", "newton"}) {
    const Fit fitted = fit(data, column_ridge_spec(method, Intercept::none));
    EXPECT_NEAR(fitted.model.x[0], 0.5, 1e-5) << method;
    EXPECT_NEAR(fitted.model.x[1], 1.5, 1e-5) << method;
    EXPECT_EQ(fitted.model.objective.penalty_factors, std::vector<double>({2, 0.5}));
    EXPECT_TRUE(verify(data, fitted.model).holds) << method;
  }
}

TEST(Penalty, does_not_depend_on_the_units_of_the_features) {
  test::Matrix matrix = test::random_matrix(30, 4, 5);
  const std::vector<double> labels = test::random_labels(matrix, Target::number, 5);
  for (const Intercept intercept : {Intercept::free, Intercept::penalized}) {
    const Fit posed = fit(labelled(matrix, labels), column_ridge_spec("auto", intercept));
    test::Matrix scaled = matrix;
    for (auto& row : scaled) row[2] *= 1024;
    const Fit other = fit(labelled(scaled, labels), column_ridge_spec("auto", intercept));
    EXPECT_NEAR(other.outcome.certificate.primal, posed.outcome.certificate.primal, 1e-11);
    EXPECT_NEAR(other.model.x[2] * 1024, posed.model.x[2], 1e-5);
  }
}

TEST(Registering, ends_with_the_first_use_of_the_list) {
  ASSERT_FALSE(loss_kinds().empty());
  EXPECT_THROW(register_loss(extension::huber_epsilon_insensitive()), std::logic_error);
  ASSERT_EQ(penalty_kind("column-ridge").name, "column-ridge");
  EXPECT_THROW(register_penalty(extension::column_ridge()), std::logic_error);
  EXPECT_THROW(penalty_kind("ridge"), InvalidOption);
}

extension::AsymmetricNet any_net() {
  return {*test::in_range(0.01, 3), *test::in_range(0.01, 2), *test::in_range(0.01, 2)};
}

RC_GTEST_PROP(Shape, prox_minimizes, ()) {
  test::require_prox_minimizes(any_net(), *test::in_range(-4, 4), *test::in_range(0.01, 5));
}
RC_GTEST_PROP(Shape, fenchel_gap_is_value_plus_conjugate_minus_product, ()) {
  test::require_fenchel_gap(any_net(), *test::in_range(-4, 4), *test::in_range(-4, 4));
}

// At x = grad g*(v) the gap is 0, and g(x) + g*(v) = x.v.
RC_GTEST_PROP(Shape, is_summed_by_the_certificate, ()) {
  const extension::AsymmetricNet g = any_net();
  std::vector<double> x, v;
  double product = 0;
  for (int j = 0; j < 10; ++j) {
    v.push_back(*test::in_range(-4, 4));
    x.push_back(g.from_dual(v.back()));
    product += x.back() * v.back();
  }
  const CertificateSums sums = over_coordinates(g, x, v);
  RC_ASSERT(std::abs(sums.primal.value() - sums.dual.value() - product) <= 1e-10 * (1 + product));
  RC_ASSERT(sums.gap.value() <= 1e-10 * (1 + product));
  x[0] += 1;
  const double direct = g.value(x[0]) + g.conjugate(v[0]) - x[0] * v[0];
  RC_ASSERT(std::abs(over_coordinates(g, x, v).gap.value() - direct) <= 1e-10 * (1 + product));
}

}  // namespace extension_test
}  // namespace seesaw
