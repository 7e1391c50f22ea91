// cdcg on data where coordinate steps alone, or face steps alone, converge slowly.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <tbb/global_control.h>

#include "run/fit.h"
#include "seesaw/error.h"
#include "solvers/catalog.h"
#include "support/problems.h"
#include "verify/verify.h"

namespace seesaw {
namespace cdcg_test {

FitSpec spec_of(std::string_view loss, double C, Intercept intercept = Intercept::none, double gap = 1e-6) {
  FitSpec spec;
  spec.objective.loss = loss;
  spec.objective.C = C;
  spec.objective.intercept = intercept;
  spec.solver.name = "cdcg";
  spec.criteria.gap = gap;
  spec.criteria.max_passes = 50000;
  return spec;
}

void expect_certified(const Dataset& data, const FitSpec& spec, const std::string& what) {
  const Fit result = fit(data, spec);
  EXPECT_EQ(result.outcome.termination, Termination::converged)
      << what << " relative gap " << result.outcome.certificate.relative_gap();
  const Verification verdict = verify(data, result.model);
  EXPECT_TRUE(verdict.holds) << what;
}

Dataset with_labels(const test::Matrix& matrix, std::vector<double> labels) {
  Dataset data = test::table(matrix);
  data.labels = std::move(labels);
  return data;
}

TEST(Cdcg, is_certified_at_extreme_C) {
  const Dataset data = test::random_data(60, 90, Target::sign, 11);  // more features than rows: separable
  for (const char* loss : {"hinge", "squared-hinge", "smooth-hinge"})
    for (const Intercept intercept : {Intercept::none, Intercept::free})
      for (const double C : {0.01, 1.0, 100.0, 10000.0})
        expect_certified(data, spec_of(loss, C, intercept), fmt::format("{} C {} {}", loss, C, name_of(intercept)));
  const Dataset numbers = test::random_data(60, 20, Target::number, 11);
  for (const char* loss : {"absolute", "epsilon-insensitive", "squared", "huber"})
    for (const double C : {0.01, 1.0, 100.0})
      expect_certified(numbers, spec_of(loss, C), fmt::format("{} C {}", loss, C));
}

TEST(Cdcg, is_certified_on_degenerate_data) {
  const test::Matrix random = test::random_matrix(20, 8, 3);
  const std::vector<double> labels = test::random_labels(random, Target::sign, 3);
  test::Matrix rows_twice = random, columns_twice = random, constant = random;
  std::vector<double> labels_twice = labels;
  for (std::size_t i = 0; i < random.size(); ++i) {
    rows_twice.push_back(random[i]);
    labels_twice.push_back(i % 4 == 0 ? 7 - labels[i] : labels[i]);  // labels are 2 and 5: some pairs have both
    columns_twice[i].insert(columns_twice[i].end(), random[i].begin(), random[i].end());
    constant[i].push_back(1);
    constant[i].push_back(-2);
  }
  const std::vector<std::pair<std::string, Dataset>> sets = {
      {"rows twice", with_labels(rows_twice, labels_twice)},
      {"columns twice", with_labels(columns_twice, labels)},
      {"constant columns", with_labels(constant, labels)},
      {"one feature", with_labels({{1}, {2}, {-1}, {0.5}}, {1, -1, -1, 1})},
      {"one row each", with_labels({{1, 2}, {3, 1}}, {-1, 1})},
      {"only empty rows", with_labels({{0, 0}, {0, 0}, {0, 0}}, {-1, 1, 1})}};
  for (const auto& [name, data] : sets)
    for (const char* loss : {"hinge", "squared-hinge"})
      for (const Intercept intercept : {Intercept::none, Intercept::free})
        for (const double C : {0.1, 100.0})
          expect_certified(data, spec_of(loss, C, intercept),
                           fmt::format("{}: {} C {} {}", name, loss, C, name_of(intercept)));
}

// Two equal rows with opposite labels take C passes by coordinate steps.
TEST(Cdcg, equal_rows_with_opposite_labels_cost_nothing) {
  test::Matrix matrix = test::random_matrix(80, 120, 5);
  std::vector<double> labels = test::random_labels(matrix, Target::sign, 5);
  for (std::size_t i = 10; i < 15; ++i) {
    matrix.push_back(matrix[i]);
    labels.push_back(7 - labels[i]);
  }
  const Dataset data = with_labels(matrix, labels);
  for (const char* loss : {"hinge", "squared-hinge"}) {
    FitSpec spec = spec_of(loss, 1e5);
    spec.criteria.max_passes = 500;
    expect_certified(data, spec, loss);
  }
}

TEST(Cdcg, never_decreases_D) {
  const Dataset data = test::random_data(50, 30, Target::sign, 21);
  for (const char* loss : {"hinge", "squared-hinge"}) {
    const Problem problem = make_problem(data, spec_of(loss, 300).objective);
    const auto solver = make_solver(problem, {.name = "cdcg", .options = {}, .seed = 2}, {});
    Point point;
    solver->read(point);
    long double before = test::slow_dual(problem, point.y);
    for (int epoch = 0; epoch < 120; ++epoch) {
      solver->epoch();
      solver->read(point);
      const long double now = test::slow_dual(problem, point.y);
      EXPECT_GE(double(now - before), -1e-12) << loss << " epoch " << epoch;
      before = now;
    }
  }
}

TEST(Cdcg, finds_the_optimum_of_sdca) {
  for (const char* loss : {"hinge", "squared-hinge", "absolute", "squared-epsilon-insensitive"})
    for (const Intercept intercept : {Intercept::none, Intercept::free}) {
      const Target target = loss_kind(loss).target;
      Dataset data = test::random_data(50, 8, target, 17);
      for (std::size_t i = 0; i < data.n(); ++i) data.weights.push_back(0.5 + double(i % 3));
      FitSpec spec = spec_of(loss, 3, intercept, 1e-8);
      const Fit ours = fit(data, spec);
      spec.solver.name = "sdca";
      const Fit other = fit(data, spec);
      ASSERT_EQ(ours.outcome.termination, Termination::converged) << loss;
      ASSERT_EQ(other.outcome.termination, Termination::converged) << loss;
      const double P = other.outcome.certificate.primal;
      EXPECT_NEAR(ours.outcome.certificate.primal, P, 2e-8 * P) << loss;
      const double bound = *ours.outcome.certificate.distance_bound + *other.outcome.certificate.distance_bound;
      double distance = 0;
      for (std::size_t j = 0; j < 8; ++j) distance += std::pow(ours.model.x[j] - other.model.x[j], 2);
      EXPECT_LE(std::sqrt(distance), bound) << loss;
    }
}

TEST(Cdcg, a_weight_of_two_is_the_row_twice) {
  const test::Matrix matrix = test::random_matrix(30, 20, 7);
  const std::vector<double> labels = test::random_labels(matrix, Target::sign, 7);
  Dataset weighted = with_labels(matrix, labels);
  test::Matrix repeated = matrix;
  std::vector<double> repeated_labels = labels;
  for (std::size_t i = 0; i < 30; ++i) {
    weighted.weights.push_back(i % 3 == 0 ? 2 : 1);
    if (i % 3 != 0) continue;
    repeated.push_back(matrix[i]);
    repeated_labels.push_back(labels[i]);
  }
  for (const char* loss : {"hinge", "squared-hinge"})
    for (const Intercept intercept : {Intercept::none, Intercept::free}) {
      const FitSpec spec = spec_of(loss, 50, intercept, 1e-8);
      const Fit a = fit(weighted, spec), b = fit(with_labels(repeated, repeated_labels), spec);
      ASSERT_EQ(a.outcome.termination, Termination::converged) << loss;
      ASSERT_EQ(b.outcome.termination, Termination::converged) << loss;
      EXPECT_NEAR(a.outcome.certificate.primal, b.outcome.certificate.primal,
                  2e-8 * a.outcome.certificate.primal + 1e-15)
          << loss;
    }
}

TEST(Cdcg, is_the_same_bit_for_bit_for_any_number_of_threads) {
  std::vector<Fit> fits;
  for (const std::size_t threads : {1, 2, 2}) {
    const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads);
    FitSpec spec = spec_of("hinge", 1, Intercept::free, 1e-5);
    spec.criteria.max_passes = 40;
    fits.push_back(fit(test::random_data(10000, 40, Target::sign, 6), spec));
  }
  for (const Fit& other : fits) {
    EXPECT_EQ(other.model.x, fits[0].model.x);
    EXPECT_EQ(other.model.y, fits[0].model.y);
    EXPECT_EQ(other.outcome.last.passes, fits[0].outcome.last.passes);
  }
}

TEST(Cdcg, starts_from_a_dual_point) {
  const Dataset data = test::random_data(60, 40, Target::sign, 19);
  const FitSpec spec = spec_of("hinge", 100);
  const Fit cold = fit(data, spec), warm = fit(data, spec, &cold.model);
  EXPECT_EQ(warm.outcome.termination, Termination::converged);
  EXPECT_LT(warm.outcome.last.passes, 0.5 * cold.outcome.last.passes);
}

TEST(Cdcg, refuses_unsupported_problems_and_names_alternatives) {
  const Dataset data = test::random_data(20, 4, Target::sign, 1);
  try {
    fit(data, spec_of("logistic", 1));
    ADD_FAILURE() << "logistic was not refused";
  } catch (const Unsupported& refusal) {
    EXPECT_NE(std::string(refusal.what()).find("cdcg needs a loss with a piecewise quadratic conjugate"),
              std::string::npos);
    EXPECT_NE(std::string(refusal.what()).find("choose `solver`"), std::string::npos);
  }
  FitSpec spec = spec_of("hinge", 1);
  spec.objective.l1 = 0.1;
  spec.objective.lambda = 0.1;
  spec.objective.C.reset();
  EXPECT_THROW(fit(data, spec), Unsupported);
  spec = spec_of("hinge", 1);
  spec.solver.options = {{"burst", "0"}};
  EXPECT_THROW(fit(data, spec), InvalidOption);
}

}  // namespace cdcg_test
}  // namespace seesaw
