// Several numbers to predict per row: against closed-form ridge and single fits, and verified independently.
#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <cmath>

#include "model/model_file.h"
#include "model/several_targets.h"
#include "run/fit_targets.h"
#include "seesaw/error.h"
#include "solvers/catalog.h"
#include "support/expectations.h"
#include "support/problems.h"
#include "support/specs.h"
#include "verify/verify_targets.h"

namespace seesaw {
namespace targets_test {

using test::contains;
using test::sentence_of;

struct Case {
  Dataset data;
  Targets targets;
};

Case random_case(std::size_t n, std::size_t d, std::size_t K, test::Storage storage = test::Storage::sparse) {
  Case result{test::random_data(n, d, Target::number, 7, storage), {K, {}}};
  const std::vector<double> first = result.data.labels;
  const test::Matrix matrix = test::matrix_of(result.data);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t k = 0; k < K; ++k)
      result.targets.numbers.push_back(first[i] * static_cast<double>(k + 1) +
                                       matrix[i][k % d] * static_cast<double>(k));
  return result;
}

// The x and b of 1/2 sum c_i |z_i - b_i|^2 + lambda/2 |x|^2, row k of the result: target k, the intercept last.
Eigen::MatrixXd ridge(const Case& given, const std::vector<double>& weights, double lambda, bool intercept) {
  const test::Matrix matrix = test::matrix_of(given.data);
  const auto n = static_cast<Eigen::Index>(given.data.n()), d = static_cast<Eigen::Index>(given.data.d()),
             K = static_cast<Eigen::Index>(given.targets.count), columns = d + (intercept ? 1 : 0);
  Eigen::MatrixXd A(n, columns), B(n, K);
  Eigen::VectorXd c(n);
  for (Eigen::Index i = 0; i < n; ++i) {
    for (Eigen::Index j = 0; j < d; ++j) A(i, j) = matrix[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)];
    if (intercept) A(i, d) = 1;
    for (Eigen::Index k = 0; k < K; ++k) B(i, k) = given.targets.numbers[static_cast<std::size_t>(i * K + k)];
    c[i] = weights.empty() ? 1 : weights[static_cast<std::size_t>(i)];
  }
  c /= c.sum();
  Eigen::MatrixXd H = A.transpose() * c.asDiagonal() * A;
  H.topLeftCorner(d, d) += lambda * Eigen::MatrixXd::Identity(d, d);
  return H.ldlt().solve(A.transpose() * c.asDiagonal() * B).transpose();
}

FitSpec spec_for(const char* solver, const char* loss, double lambda, double l1, Intercept intercept) {
  return test::spec_of(recipe_named(solver), loss_kind(loss), lambda, l1, intercept);
}

TEST(Targets, are_those_of_closed_form_ridge_by_every_kind_of_method_and_verified) {
  for (const test::Storage storage : {test::Storage::sparse, test::Storage::dense})
    for (const Intercept intercept : {Intercept::free, Intercept::none})
      for (const bool weighted : {false, true}) {
        Case given = random_case(40, 5, 3, storage);
        if (weighted)
          for (std::size_t i = 0; i < 40; ++i) given.data.weights.push_back(1 + static_cast<double>(i % 3));
        const Eigen::MatrixXd expected = ridge(given, given.data.weights, 0.05, intercept == Intercept::free);
        for (const char* solver : {"auto", "newton", "lbfgs", "sdca", "spdc", "adaspdc", "spdhg"}) {
          FitSpec spec = spec_for(solver, "squared", 0.05, 0, intercept);
          spec.criteria.gap_abs = 1e-12;
          const Fit fit = fit_targets(given.data, given.targets, spec);
          ASSERT_EQ(fit.outcome.termination, Termination::converged) << solver;
          ASSERT_EQ(fit.model.outputs(), 3u);
          EXPECT_TRUE(several_targets(fit.model));
          for (std::size_t k = 0; k < 3; ++k) {
            const auto row = static_cast<Eigen::Index>(k);
            for (std::size_t j = 0; j < 5; ++j)
              EXPECT_NEAR(fit.model.x[j * 3 + k], expected(row, static_cast<Eigen::Index>(j)), 1e-5) << solver;
            EXPECT_NEAR(fit.model.intercept[k], intercept == Intercept::free ? expected(row, 5) : 0, 1e-5) << solver;
          }
          EXPECT_EQ(fit.model.classes.size(), 3u);
          const Verification verdict = verify_targets(given.data, given.targets, fit.model);
          EXPECT_TRUE(verdict.holds) << solver << ": " << (verdict.problems.empty() ? "" : verdict.problems[0]);
          EXPECT_LE(verdict.gap, fit.model.certificate->gap);
        }
      }
}

// A block A_i = a_i x I_K with a loss that is a sum over the targets takes the steps of each target alone.
TEST(Targets, take_the_steps_of_a_fit_of_each_target) {
  const Case given = random_case(30, 4, 3);
  for (const char* solver : {"sdca", "spdc", "adaspdc", "spdhg"}) {
    FitSpec spec = spec_for(solver, "squared", 0.02, 0, Intercept::free);
    spec.criteria.gap_abs = 1e-300;
    spec.criteria.max_passes = 20;
    const Fit all = fit_targets(given.data, given.targets, spec);
    for (std::size_t k = 0; k < 3; ++k) {
      const Fit one = fit(with_labels(given.data, given.targets.column(k)), spec);
      EXPECT_EQ(of_output(all.model.x, k, 3), one.model.x) << solver;
      EXPECT_EQ(of_output(all.model.y, k, 3), one.model.y) << solver;
      EXPECT_EQ(all.model.intercept[k], one.model.intercept[0]) << solver;
      EXPECT_EQ(all.model.classes[k].gap, one.model.certificate->gap) << solver;
    }
  }
}

TEST(Targets, of_other_regression_losses_and_penalties_converge_and_are_verified) {
  const Case given = random_case(40, 6, 2);
  for (const char* loss : {"absolute", "huber", "epsilon-insensitive", "squared"})
    for (const double l1 : {0.0, 0.05})
      for (const Scaling scaling : {Scaling::none, Scaling::columns_std}) {
        FitSpec spec = spec_for("sdca", loss, 0.05, l1, Intercept::free);
        spec.scaling = scaling;
        const Fit fit = fit_targets(given.data, given.targets, spec);
        EXPECT_EQ(fit.outcome.termination, Termination::converged) << loss;
        EXPECT_TRUE(verify_targets(given.data, given.targets, fit.model).holds) << loss;
      }
}

TEST(Targets, have_the_default_l1_of_the_target_that_needs_the_largest) {
  const Case given = random_case(40, 6, 3);
  FitSpec spec;
  spec.solver.name = "ws";
  spec.objective.regularizer = "l1";
  double largest = 0;
  for (std::size_t k = 0; k < 3; ++k) {
    FitSpec one = spec;
    one.objective.loss = "squared";
    largest = std::max(largest, fit(with_labels(given.data, given.targets.column(k)), one).model.objective.l1);
  }
  EXPECT_EQ(fit_targets(given.data, given.targets, spec).model.objective.l1, largest);
}

TEST(Targets, models_are_written_and_read_and_start_another_fit) {
  const Case given = random_case(40, 5, 3);
  FitSpec spec = spec_for("sdca", "squared", 0.05, 0, Intercept::free);
  const Fit fit = fit_targets(given.data, given.targets, spec);
  const std::string text = model_file_text(fit.model);
  EXPECT_TRUE(contains(text, "\"version\": 7"));
  const LinearModel read = parse_model_file(text, "m");
  EXPECT_EQ(read.x, fit.model.x);
  EXPECT_EQ(read.intercept, fit.model.intercept);
  EXPECT_EQ(read.y, fit.model.y);
  EXPECT_TRUE(verify_targets(given.data, given.targets, read).holds);
  EXPECT_EQ(model_file_text(read), text);
  EXPECT_EQ(fit_targets(given.data, given.targets, spec, &read).outcome.last.passes, 0);
  const std::string older = std::string(text).replace(text.find("\"version\": 7"), 12, "\"version\": 5");
  EXPECT_TRUE(contains(sentence_of<Error>([&] { parse_model_file(older, "m"); }), "the loss squared has one output"));
}

TEST(Targets, claims_that_are_not_proved_are_refused) {
  const Case given = random_case(40, 5, 3);
  const LinearModel model =
      fit_targets(given.data, given.targets, spec_for("sdca", "squared", 0.05, 0, Intercept::free)).model;
  ASSERT_TRUE(verify_targets(given.data, given.targets, model).holds);
  const auto refused = [&](const auto& change, const char* expected) {
    LinearModel wrong = model;
    change(wrong);
    const Verification verdict = verify_targets(given.data, given.targets, wrong);
    EXPECT_FALSE(verdict.holds) << expected;
    ASSERT_FALSE(verdict.problems.empty());
    EXPECT_TRUE(contains(verdict.problems[0], expected)) << verdict.problems[0];
  };
  refused([](LinearModel& m) { m.classes[1].gap *= 0.5; }, "Target 2: The model claims a gap");
  refused([](LinearModel& m) { m.classes[2].primal *= 0.999; }, "Target 3: The model claims P");
  refused([](LinearModel& m) { m.x[4] += 0.01; }, "Target 2: The model claims P");
  refused([](LinearModel& m) { m.y[0] += 0.01; }, "Target 1: The model claims D");
  refused([](LinearModel& m) { m.certificate->gap *= 0.999; }, "All targets together: the model claims gap");
  refused([](LinearModel& m) { m.certificate->dual *= 1.001; }, "All targets together: the model claims D");
  refused([](LinearModel& m) { m.certificate->distance_bound = 0; }, "within 0 of the optimal weights");
  Targets other = given.targets;
  other.numbers[5] += 1;
  EXPECT_TRUE(contains(sentence_of<Error>([&] { verify_targets(given.data, other, model); }), "was not trained on"));
}

TEST(Targets, refuse_losses_of_classes_and_other_sizes) {
  const Case given = random_case(20, 3, 2);
  FitSpec spec;
  spec.objective.loss = "logistic";
  EXPECT_TRUE(contains(sentence_of<Error>([&] { fit_targets(given.data, given.targets, spec); }),
                       "the loss logistic is for classes"));
  Targets fewer{2, std::vector<double>(10)};
  EXPECT_THROW(fit_targets(given.data, fewer, {}), ShapeError);
}

}  // namespace targets_test
}  // namespace seesaw
