// The batch methods without lambda, on data and losses with and without strong convexity; and refusals.
#include <gtest/gtest.h>

#include "run/fit.h"
#include "seesaw/error.h"
#include "solvers/catalog.h"
#include "support/expectations.h"
#include "support/problems.h"
#include "support/specs.h"
#include "verify/verify.h"

namespace seesaw {
namespace batch_test {

using test::contains;

FitSpec without_penalty(const std::string& method, const std::string& loss, OptionValues options = {}) {
  FitSpec spec = test::spec_of(recipe_named(method), loss_kind(loss), 0, 0, Intercept::free);
  spec.solver.options = std::move(options);
  spec.objective.regularizer = "none";
  return spec;
}

std::string refusal(const Dataset& data, const FitSpec& spec) {
  return test::sentence_of<Error>([&] { fit(data, spec); });
}

TEST(BatchWithoutPenalty, reaches_a_certified_gap_on_strongly_convex_data) {
  struct Method {
    const char* name;
    OptionValues options;
    std::vector<const char*> losses;
  };
  for (const Method& method : {Method{"opt-bpd", {}, {"squared"}},
                               {"df-bpd", {}, {"squared"}},
                               {"ada-bpd", {}, {"squared", "logistic"}},
                               {"primal-ag", {}, {"squared", "logistic"}},
                               {"primal-ag", {{"mu", "data"}}, {"squared"}}})
    for (const char* loss : method.losses)
      for (const Intercept intercept : {Intercept::none, Intercept::free}) {
        Dataset data = test::random_data(300, 10, loss_kind(loss).target, 12);
        for (std::size_t i = 0; i < data.n(); ++i) data.weights.push_back(0.5 + double(i % 3));
        FitSpec spec = without_penalty(method.name, loss, method.options);
        spec.objective.intercept = intercept;
        const Fit result = fit(data, spec);
        EXPECT_EQ(result.outcome.termination, Termination::converged) << method.name << " " << loss;
        EXPECT_LE(result.outcome.last.passes, 400) << method.name << " " << loss;
        const Verification verdict = verify(data, result.model);
        EXPECT_TRUE(verdict.holds) << method.name << " " << loss;
        EXPECT_LE(verdict.gap, 1.0001e-8) << method.name << " " << loss;
      }
}

TEST(BatchWithoutPenalty, is_refused_without_curvature) {
  const Dataset signs = test::random_data(60, 4, Target::sign, 5),
                numbers = test::random_data(60, 4, Target::number, 5);
  EXPECT_TRUE(contains(refusal(signs, without_penalty("bpd", "logistic")),
                       "bpd needs lambda > 0, and the problem has `penalty` none"));
  EXPECT_TRUE(contains(
      refusal(signs, without_penalty("opt-bpd", "logistic")),
      "opt-bpd needs lambda > 0 or a strongly convex loss, and the problem has `penalty` none with the loss logistic"));
  for (const char* method : {"ada-bpd", "primal-ag"})
    EXPECT_TRUE(contains(refusal(numbers, without_penalty(method, "absolute")), "needs a penalty or a smooth loss"));

  test::Matrix matrix = test::random_matrix(60, 4, 5);
  for (auto& row : matrix) row.push_back(row[0] + row[1]);
  Dataset dependent = test::table(matrix);
  dependent.labels = test::random_labels(matrix, Target::number, 5);
  const std::string sentence = refusal(dependent, without_penalty("opt-bpd", "squared"));
  EXPECT_TRUE(contains(sentence, "opt-bpd needs lambda > 0 or linearly independent columns"));
  EXPECT_TRUE(contains(sentence, "choose `solver`"));
  FitSpec with_lambda = without_penalty("opt-bpd", "squared");
  with_lambda.objective.regularizer = "l2";
  with_lambda.objective.lambda = 0.01;
  EXPECT_EQ(fit(dependent, with_lambda).outcome.termination, Termination::converged);
}

// Separable classes: P has no minimum and no certificate. No method may report convergence.
TEST(BatchWithoutPenalty, does_not_report_convergence_on_separable_classes) {
  Dataset data = test::random_data(80, 3, Target::sign, 5);
  const test::Matrix matrix = test::matrix_of(data);
  for (std::size_t i = 0; i < data.n(); ++i) data.labels[i] = matrix[i][0] + 0.1 > 0 ? 1 : -1;
  for (const char* method : {"ada-bpd", "primal-ag"}) {
    FitSpec spec = without_penalty(method, "logistic");
    spec.criteria.max_passes = 300;
    const Fit result = fit(data, spec);
    EXPECT_EQ(result.outcome.termination, Termination::pass_limit) << method;
    EXPECT_GT(result.outcome.certificate.gap, 1e-8) << method;
    EXPECT_TRUE(std::isfinite(result.outcome.certificate.gap)) << method;
    EXPECT_TRUE(verify(data, result.model).holds) << method;
  }
}

TEST(BatchMethods, refuse_a_matrix_of_d_x_d_numbers_that_is_too_large) {
  test::Matrix matrix(3, std::vector<double>(4001));
  for (std::size_t i = 0; i < 3; ++i) matrix[i][7 * i] = 1;
  Dataset data = test::table(matrix);
  data.labels = {1, 2, 4};
  FitSpec spec = test::spec_of(recipe_named("opt-bpd"), loss_kind("squared"), 0.1, 0, Intercept::none);
  EXPECT_TRUE(contains(refusal(data, spec), "d = 4001 is more than 4000"));
  spec.objective.loss = "huber";  // needs no eigenvalue
  EXPECT_EQ(fit(data, spec).outcome.termination, Termination::converged);
  spec.objective.loss = "squared";
  spec.solver = {"primal-ag", {{"mu", "data"}}, 1};
  EXPECT_TRUE(contains(refusal(data, spec), "`mu`"));
  spec.solver.options = {};
  EXPECT_EQ(fit(data, spec).outcome.termination, Termination::converged);
}

TEST(BatchMethods, refuse_bad_options) {
  const Dataset data = test::random_data(60, 4, Target::number, 5);
  const auto refused = [&](const char* method, OptionValues options, double lambda) {
    FitSpec spec = test::spec_of(recipe_named(method), loss_kind("squared"), lambda, 0, Intercept::none);
    spec.solver.options = std::move(options);
    return refusal(data, spec);
  };
  EXPECT_TRUE(contains(refused("ada-bpd", {{"rule", "fast"}}, 0.1), "simple, robust, secant"));
  EXPECT_TRUE(contains(refused("ada-bpd", {{"rule", "robust"}}, 0), "use `rule` secant"));
  EXPECT_TRUE(contains(refused("ada-bpd", {{"rule", "simple"}}, 0), "use `rule` secant"));
  EXPECT_TRUE(contains(refused("primal-ag", {{"mu", "-1"}}, 0.1), "lambda, data"));
  for (const char* option : {"draw", "batch", "step-constant"}) {
    for (const char* method : {"bpd", "opt-bpd"})
      EXPECT_TRUE(contains(refused(method, {{option, "1"}}, 0.1), "does not have this option; its options are: none"));
    EXPECT_TRUE(contains(refused("df-bpd", {{option, "1"}}, 0.1), "does not have this option; its options are: `mu`"));
  }
}

}  // namespace batch_test
}  // namespace seesaw
