// ws against closed forms, optimality conditions by hand and other methods' optima, and on degenerate data.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <tbb/global_control.h>

#include <algorithm>
#include <set>

#include "base/rng.h"
#include "base/scalar.h"
#include "data/rows_builder.h"
#include "data/synthetic.h"
#include "seesaw/error.h"
#include "support/problems.h"
#include "support/specs.h"
#include "verify/verify.h"

namespace seesaw {
namespace working_set_test {

using test::spec_of;

FitSpec ws(std::string_view loss, double lambda, double l1, Intercept intercept = Intercept::none) {
  return spec_of(recipe_named("ws"), loss_kind(loss), lambda, l1, intercept);
}

// The violation of the optimality conditions at (x, b), computed directly: s_j = sum c_i phi_i'(z_i) a_ij equals
// -l1 sign(x_j) - lambda x_j if x_j is not 0, and |s_j| <= l1 otherwise; the derivatives sum to 0 with a free intercept.
double missed(const Dataset& data, const FitSpec& spec, const LinearModel& model) {
  const Problem problem = make_problem(data, spec.objective);
  const test::Matrix a = test::matrix_of(data);
  std::vector<double> s(problem.d());
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    double z = model.intercept[0];
    for (std::size_t j = 0; j < s.size(); ++j) z += a[i][j] * model.x[j];
    const double derivative =
        problem.normalized_weight[i] *
        std::visit([&](const auto& loss) { return loss.derivative(problem.scalar().target[i], z); },
                   problem.scalar().loss);
    sum += derivative;
    for (std::size_t j = 0; j < s.size(); ++j) s[j] += derivative * a[i][j];
  }
  double largest = problem.free_intercept() ? std::abs(sum) : 0;
  for (std::size_t j = 0; j < s.size(); ++j) {
    const double x = model.x[j], at = s[j] + problem.penalty.l2() * x;
    largest = std::max(
        largest, x == 0 ? std::abs(at) - problem.penalty.l1() : std::abs(at + std::copysign(problem.penalty.l1(), x)));
  }
  return largest;
}

TEST(WorkingSet, lasso_on_an_orthogonal_design_is_the_soft_threshold) {
  const std::size_t d = 8;  // rows 3 e_j
  test::Matrix matrix(d, std::vector<double>(d));
  std::vector<double> labels;
  for (std::size_t j = 0; j < d; ++j) {
    matrix[j][j] = 3;
    labels.push_back(double(j) - 3.5);
  }
  Dataset data = test::table(matrix);
  data.labels = labels;
  for (const double lambda : {0.0, 0.5}) {
    FitSpec spec = ws("squared", lambda, 0.4);
    spec.criteria.gap_abs = 1e-14;
    const Fit result = fit(data, spec);
    EXPECT_EQ(result.outcome.termination, Termination::converged);
    for (std::size_t j = 0; j < d; ++j)  // 1/d (9 x - 3 b) + lambda x + l1 sign x = 0
      EXPECT_NEAR(result.model.x[j], soft_threshold(3 * labels[j] / 8, 0.4) / (9.0 / 8 + lambda), 1e-12);
  }
}

TEST(WorkingSet, satisfies_the_optimality_conditions) {
  for (const LossKind& kind : loss_kinds())
    if (kind.gamma() > 0)
      for (const Intercept intercept : {Intercept::none, Intercept::free})
        for (const double lambda : {0.0, 0.02}) {
          Dataset data = test::random_data(150, 90, kind.target, 12);  // more features than the first set has
          for (std::size_t i = 0; i < data.n(); ++i) data.weights.push_back(0.5 + double(i % 3));
          FitSpec spec = ws(kind.name, lambda, 0.01, intercept);
          spec.criteria.gap_abs = 1e-12;
          const Fit result = fit(data, spec);
          EXPECT_EQ(result.outcome.termination, Termination::converged) << kind.name;
          EXPECT_LE(missed(data, spec, result.model), 1e-5) << kind.name << " lambda " << lambda;
        }
}

// The squared loss has one set of all features up to 512 of them, and growing sets above.
TEST(WorkingSet, finds_the_same_optimum_with_and_without_path_and_screening) {
  for (const auto& [loss, d] : {std::pair{"squared", 200}, {"squared", 700}, {"logistic", 200}, {"huber", 200}}) {
    const Dataset data = test::random_data(120, static_cast<std::size_t>(d), loss_kind(loss).target, 7);
    std::vector<Fit> fits;
    for (const char* path : {"on", "off"})
      for (const char* screening : {"on", "off"}) {
        FitSpec spec = ws(loss, 0, 0.005, Intercept::free);
        spec.solver.options = {{"path", path}, {"screening", screening}};
        spec.criteria.gap_abs = 1e-12;
        fits.push_back(fit(data, spec));
        EXPECT_EQ(fits.back().outcome.termination, Termination::converged) << loss;
        EXPECT_TRUE(verify(data, fits.back().model).holds) << loss;
      }
    for (const Fit& other : fits)
      EXPECT_NEAR(other.outcome.certificate.primal, fits[0].outcome.certificate.primal, 2e-12) << loss;
  }
}

// 300 of 40,000 columns in use, as of hashed features: those without entries belong to no set and to no pool of features.
// The same data with these columns alone, which has no pools, has the same optimum.
TEST(WorkingSet, has_the_optimum_of_the_columns_in_use) {
  constexpr std::size_t n = 100, used = 300, distance = 133;
  test::Matrix alone(n, std::vector<double>(used)), spread(n, std::vector<double>(used * distance));
  Rng rng(5);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < used; ++j)
      if (rng.uniform() < 0.04) alone[i][j] = spread[i][j * distance] = rng.normal();
  for (const auto& [loss, l1] : {std::pair{"squared", 0.05}, {"logistic", 0.02}, {"logistic", 0.005}}) {
    Dataset few = test::table(alone), many = test::table(spread);
    few.labels = many.labels = test::random_labels(alone, loss_kind(loss).target, 5);
    FitSpec spec = ws(loss, 0, l1, Intercept::free);
    spec.criteria.gap_abs = 1e-11;
    const Fit expected = fit(few, spec), result = fit(many, spec);
    EXPECT_EQ(result.outcome.termination, Termination::converged) << loss << l1;
    EXPECT_NEAR(result.outcome.certificate.primal, expected.outcome.certificate.primal, 2e-11) << loss << l1;
    EXPECT_LE(missed(many, spec, result.model), 1e-5) << loss << l1;
  }
}

// Columns of large norm with |v_j| far below l1 are nearest to the support, and a pool has nothing else.
TEST(WorkingSet, converges_where_a_pool_has_no_feature_that_is_needed) {
  constexpr std::size_t pairs = 1500, large = 700, words = 30000;
  Rng rng(3);
  std::vector<double> truth(words), sum{0};
  for (int k = 0; k < 300; ++k) truth[static_cast<std::size_t>(rng.uniform() * words)] = 2 * rng.normal();
  for (std::size_t j = 0; j < words; ++j) sum.push_back(sum.back() + 1 / (static_cast<double>(j) + 20));
  RowsBuilder rows;
  std::vector<double> labels;
  for (std::size_t p = 0; p < pairs; ++p) {  // two equal rows but for the sign of a large entry
    std::set<std::uint32_t> drawn;
    for (int k = 0; k < 60; ++k) {
      const auto after = std::upper_bound(sum.begin(), sum.end(), rng.uniform() * sum.back());
      drawn.insert(static_cast<std::uint32_t>(std::min<std::ptrdiff_t>(after - sum.begin() - 1, words - 1)));
    }
    double score = rng.normal();
    std::vector<std::uint32_t> columns;
    if (p < large) columns.push_back(static_cast<std::uint32_t>(p));
    for (const std::uint32_t j : drawn) {
      score += truth[j];
      columns.push_back(static_cast<std::uint32_t>(large + j));
    }
    for (const double sign : {1.0, -1.0}) {
      std::vector<double> values(columns.size(), 1.0);
      if (p < large) values[0] = 1000 * sign;
      rows.add_row(columns, values);
      labels.push_back(score > 0 ? 1 : -1);
    }
  }
  const std::size_t entries = rows.entries();
  const Dataset data{.rows = std::move(rows).finish(large + words, Precision::exact), .labels = labels, .nnz = entries};
  FitSpec spec = ws("logistic", 0, 0.005, Intercept::free);
  spec.criteria.gap = 1e-10;
  const Fit result = fit(data, spec);
  EXPECT_EQ(result.outcome.termination, Termination::converged);
  EXPECT_TRUE(verify(data, result.model).holds);
}

double diagnostic(const Fit& result, std::string_view name) {
  for (const Diagnostic& one : result.outcome.last.diagnostics)
    if (one.name == name) return one.value;
  return -1;
}

// All features are one set, and its matrix gives the minimum: up to 512 features that are not sparse.
TEST(WorkingSet, solves_the_squared_loss_with_few_features_in_one_step) {
  for (const auto& [n, d] : {std::pair{400, 20}, {700, 500}})
    for (const Intercept intercept : {Intercept::none, Intercept::free}) {
      const Dataset data =
          test::random_data(static_cast<std::size_t>(n), static_cast<std::size_t>(d), Target::number, 3);
      FitSpec spec = ws("squared", 0, 0.01, intercept);
      spec.criteria.gap = 1e-6;
      const Fit result = fit(data, spec);
      EXPECT_EQ(result.outcome.termination, Termination::converged);
      EXPECT_EQ(diagnostic(result, "newton_steps"), 1) << d;
      EXPECT_LE(missed(data, spec, result.model), 1e-8) << d;
    }
}

// Features of the set that are proved to be 0 before the others are solved.
TEST(WorkingSet, converges_when_features_of_the_set_are_proved_zero) {
  struct Case {
    std::string_view generator, loss;
    std::size_t d;
    double l1;
  };
  int smaller = 0;
  for (const Case& one : std::initializer_list<Case>{{"text", "squared", 3000, 0.003},
                                                     {"text", "squared", 3000, 0.0005},
                                                     {"text", "logistic", 3000, 0.003},
                                                     {"text", "logistic", 3000, 0.0005},
                                                     {"factors", "logistic", 300, 0.04},
                                                     {"factors", "logistic", 300, 0.03},
                                                     {"factors", "logistic", 300, 0.02}}) {
    SynthOptions options;
    options.n = 1000;
    options.d = one.d;
    options.seed = 4;
    const Dataset data = synthesize(std::string(one.generator), options);
    FitSpec spec = ws(one.loss, 0, one.l1);
    spec.criteria.gap = 1e-8;
    const Fit result = fit(data, spec);
    EXPECT_EQ(result.outcome.termination, Termination::converged) << one.loss << one.l1;
    EXPECT_LE(diagnostic(result, "newton_steps"), 60) << one.loss << one.l1;
    EXPECT_LE(missed(data, spec, result.model), 1e-3 * one.l1) << one.loss << one.l1;
    smaller += diagnostic(result, "features_left") < diagnostic(result, "working_set");
  }
  EXPECT_GT(smaller, 0);
}

TEST(WorkingSet, of_an_elastic_net_with_negligible_l1_is_ridge) {
  for (const char* loss : {"squared", "logistic"}) {
    const Dataset data = test::random_data(80, 6, loss_kind(loss).target, 7);
    FitSpec spec = ws(loss, 0.1, 1e-11, Intercept::free);
    spec.criteria.gap_abs = 1e-13;
    FitSpec ridge = spec;
    ridge.solver.name = "sdca";
    ridge.objective.l1 = 0;
    const Fit a = fit(data, spec), b = fit(data, ridge);
    EXPECT_EQ(a.outcome.termination, Termination::converged) << loss;
    for (std::size_t j = 0; j < 6; ++j) EXPECT_NEAR(a.model.x[j], b.model.x[j], 1e-5) << loss;
  }
}

// Separable classes, repeated and constant features, empty rows, one row, one feature, large and small l1.
TEST(WorkingSet, solves_degenerate_data_for_any_l1) {
  const std::vector<std::pair<std::size_t, std::size_t>> shapes = {{60, 8}, {12, 100}, {60, 1}, {2, 3}};
  for (const LossKind& kind : loss_kinds())
    if (kind.gamma() > 0)
      for (const auto& [n, d] : shapes)
        for (const Intercept intercept : {Intercept::none, Intercept::free})
          for (const double C : {0.01, 1.0, 100.0, 10000.0}) {
            const Dataset data = test::degenerate_data(n, d, kind.target);
            FitSpec spec = ws(kind.name, 0, 0, intercept);
            spec.objective.lambda = {};
            spec.objective.l1 = {};
            spec.objective.regularizer = "l1";
            spec.objective.C = C;
            spec.criteria.gap = 1e-6;
            spec.criteria.gap_abs = 1e-13;
            const Fit result = fit(data, spec);
            const std::string what = fmt::format("{} {} x {} intercept {} C {}: gap {}", kind.name, n, d,
                                                 name_of(intercept), C, result.outcome.certificate.relative_gap());
            EXPECT_EQ(result.outcome.termination, Termination::converged) << what;
            EXPECT_TRUE(verify(data, result.model).holds) << what;
          }
}

TEST(WorkingSet, solves_a_single_row) {
  Dataset data = test::table({{2, -1}});
  data.labels = {3};
  const Fit result = fit(data, ws("squared", 0, 0.5));
  EXPECT_EQ(result.outcome.termination, Termination::converged);
  EXPECT_NEAR(result.outcome.certificate.primal, 0.5 * 0.0625 + 0.5 * (3 - 0.25) / 2, 1e-8);  // r = -l1/2 = -0.25
}

TEST(WorkingSet, is_bit_for_bit_the_same_for_any_number_of_threads) {
  for (const char* loss : {"squared", "logistic"}) {
    const Dataset data = test::random_data(6000, 70, loss_kind(loss).target, 6);
    std::vector<Fit> fits;
    for (const std::size_t threads : {1, 2}) {
      const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads);
      fits.push_back(fit(data, ws(loss, 0, 0.01, Intercept::free)));
    }
    EXPECT_EQ(fits[0].model.x, fits[1].model.x) << loss;
    EXPECT_EQ(fits[0].model.y, fits[1].model.y) << loss;
    EXPECT_EQ(fits[0].outcome.last.passes, fits[1].outcome.last.passes) << loss;
  }
}

TEST(WorkingSet, uses_the_support_of_a_warm_start) {
  const Dataset data = test::random_data(200, 150, Target::sign, 6);
  FitSpec spec = ws("logistic", 0, 0.01, Intercept::free);
  const Fit cold = fit(data, spec);
  EXPECT_LE(fit(data, spec, &cold.model).outcome.last.passes, 1);
  spec.objective.l1 = 0.0095;  // a similar problem
  EXPECT_LT(fit(data, spec, &cold.model).outcome.last.passes, fit(data, spec).outcome.last.passes);
}

TEST(WorkingSet, refuses_unsupported_problems_and_names_alternatives) {
  const Dataset data = test::random_data(40, 5, Target::sign, 6);
  const auto refusal = [&](const FitSpec& spec) -> std::string {
    try {
      fit(data, spec);
      return "";
    } catch (const Error& error) {
      return error.what();
    }
  };
  EXPECT_NE(refusal(ws("logistic", 0.1, 0)).find("ws needs l1 > 0, and the problem has `penalty` l2"),
            std::string::npos);
  const std::string without = refusal(ws("hinge", 0.1, 0));
  EXPECT_NE(without.find("choose `solver`"), std::string::npos) << without;
  FitSpec bad = ws("logistic", 0, 0.1);
  bad.solver.options = {{"path", "maybe"}};
  EXPECT_NE(refusal(bad), "");
}

}  // namespace working_set_test
}  // namespace seesaw
