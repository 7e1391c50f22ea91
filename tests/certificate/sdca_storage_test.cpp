// SDCA on a compact copy of the rows: the same steps if nothing was rounded, the same certificate if something was.
#include <gtest/gtest.h>
#include <tbb/global_control.h>

#include "data/synthetic.h"
#include "support/problems.h"
#include "support/specs.h"
#include "verify/verify.h"

namespace seesaw {
namespace sdca_storage_test {

using test::spec_of;

Dataset with_thirds(std::size_t n, std::size_t d, Target target, test::Storage storage) {
  test::Matrix matrix = test::random_matrix(n, d, 8);
  for (auto& row : matrix)
    for (double& value : row) value /= 3;
  Dataset data = test::table(matrix, storage);
  data.labels = test::random_labels(matrix, target, 8);
  return data;
}

TEST(SdcaStorage, takes_the_same_steps_bit_for_bit_if_values_are_floats) {
  for (const LossKind& kind : loss_kinds())
    for (const double l1 : {0.0, 0.02})
      for (const test::Storage storage : {test::Storage::sparse, test::Storage::sparse_float, test::Storage::dense}) {
        Dataset data = test::random_data(60, 9, kind.target, 3, storage);
        data.weights.assign(60, 1.0);
        data.weights[7] = 2.5;
        Objective objective;
        objective.loss = kind.name;
        objective.lambda = 0.01;
        if (l1 > 0) objective.l1 = l1;
        const Problem problem = make_problem(data, objective);
        Point points[2];
        for (const bool compact : {false, true}) {
          const auto solver = make_solver(problem, {"sdca", {{"storage", compact ? "compact" : "exact"}}, 4});
          for (int k = 0; k < 30; ++k) solver->epoch();
          solver->read(points[compact]);
        }
        EXPECT_EQ(points[0].y, points[1].y) << kind.name;
        EXPECT_EQ(points[0].x, points[1].x) << kind.name;
        EXPECT_EQ(points[0].intercept, points[1].intercept) << kind.name;
      }
}

TEST(SdcaStorage, certifies_beyond_the_precision_of_floats) {
  for (const LossKind& kind : loss_kinds())
    for (const test::Storage storage : {test::Storage::sparse, test::Storage::dense})
      for (const Intercept intercept : {Intercept::none, Intercept::free}) {
        Dataset data = with_thirds(80, 5, kind.target, storage);
        data.weights.assign(80, 1.0);
        data.weights[11] = 3;
        FitSpec spec = spec_of(recipe_named("sdca"), kind, 0.05, 0, intercept);
        spec.criteria.gap_abs = 1e-9;
        spec.solver = {"sdca", {{"storage", "compact"}}, 1};
        const Fit result = fit(data, spec);
        EXPECT_EQ(result.outcome.termination, Termination::converged) << kind.name << ' ' << result.outcome.last.gap;
        EXPECT_TRUE(verify(data, result.model).holds) << kind.name;
      }
}

// Without on_check() the copy is kept, and its gap stays above a target that the exact rows reach: the optimum of rounded
// rows differs by about 2^-24 in every number, far above the rounding of doubles.
TEST(SdcaStorage, reaches_small_gaps_only_with_the_exact_rows) {
  const Dataset data = with_thirds(80, 5, Target::sign, test::Storage::sparse);
  Objective objective;
  objective.loss = "hinge";
  objective.lambda = 0.05;
  objective.intercept = Intercept::none;
  const Problem problem = make_problem(data, objective);
  Certifier certifier(problem);
  constexpr double target = 1e-13;
  double lowest[2] = {infinity, infinity};
  for (const bool with_checks : {false, true}) {
    const auto solver = make_solver(problem, {"sdca", {{"storage", "compact"}}, 1});
    Point point;
    for (int k = 0; k < 2000; ++k) {
      solver->epoch();
      if (k % 20 != 0) continue;
      solver->read(point);
      const Certificate certificate = certifier.certify(point);
      lowest[with_checks] = std::min(lowest[with_checks], certificate.gap);
      if (with_checks) solver->on_check({static_cast<const Bounds&>(certificate), target});
    }
  }
  EXPECT_GT(lowest[false], target);
  EXPECT_LE(lowest[true], target);
}

TEST(SdcaStorage, certifies_degenerate_data) {
  const auto certified = [](const test::Matrix& matrix, const std::vector<double>& labels, const char* loss, double C) {
    Dataset data = test::table(matrix);
    data.labels = labels;
    FitSpec spec;
    spec.objective.loss = loss;
    spec.objective.C = C;
    spec.objective.intercept = Intercept::none;
    spec.criteria.gap = 1e-6;
    spec.criteria.max_passes = 200000;
    spec.solver = {"sdca", {{"storage", "compact"}}, 1};
    const Fit result = fit(data, spec);
    EXPECT_EQ(result.outcome.termination, Termination::converged) << loss << " C " << C;
    EXPECT_TRUE(verify(data, result.model).holds) << loss << " C " << C;
  };
  for (const char* loss : {"hinge", "squared-hinge", "logistic"})
    for (const double C : {0.01, 1.0, 10000.0}) {
      certified({{0.1}},
                {
                    1,
                },
                "squared", C);                                                                   // one number
      certified({{0.1, 0.7}, {-0.3, -0.9}, {0.2, 0.8}}, {1, 2, 1}, loss, C);                     // separable
      certified({{0.1, 0.1}, {0.1, 0.1}, {-0.7, -0.7}, {0, 0}}, {1, 1, 2, 2}, loss, C);          // twice; empty
      certified({{1.0 / 3, 1}, {1.0 / 7, 1}, {-1.0 / 9, 1}, {0.11, 1}}, {1, 1, 2, 2}, loss, C);  // constant column
    }
}

TEST(SdcaStorage, is_refused_for_block_losses) {
  const Dataset data = test::random_classes(30, 4, 3, 1);
  FitSpec spec;
  spec.objective.loss = "softmax";
  spec.solver = {"sdca", {{"storage", "compact"}}, 1};
  EXPECT_THROW(fit(data, spec), std::exception);
}

// Sparse data like text, large enough for a check in parallel to an epoch.
TEST(SdcaChecks, are_the_same_in_parallel_to_epochs_and_between_them) {
  SynthOptions options;
  options.n = 3000;
  options.d = 2000;
  const Dataset data = synthesize("text", options);
  ASSERT_GT(data.nnz, 100000u);
  for (const char* loss : {"hinge", "logistic"})
    for (const char* storage : {"auto", "exact"}) {
      std::vector<TraceRow> traces[2];
      std::vector<double> x[2];
      for (const std::size_t threads : {1, 2}) {
        const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads);
        FitSpec spec;
        spec.objective.loss = loss;
        spec.objective.C = 1;
        spec.criteria.gap = 1e-8;
        spec.solver = {"sdca", {{"storage", storage}}, 1};
        const Fit result = fit(data, spec);
        EXPECT_EQ(result.outcome.termination, Termination::converged);
        traces[threads - 1] = result.outcome.trace;
        x[threads - 1] = result.model.x;
      }
      EXPECT_EQ(x[0], x[1]);
      ASSERT_EQ(traces[0].size(), traces[1].size());
      for (std::size_t k = 0; k < traces[0].size(); ++k) {
        EXPECT_EQ(traces[0][k].passes, traces[1][k].passes) << k;
        EXPECT_EQ(traces[0][k].entry_passes, traces[1][k].entry_passes) << k;
        EXPECT_EQ(traces[0][k].primal, traces[1][k].primal) << k;
        EXPECT_EQ(traces[0][k].dual, traces[1][k].dual) << k;
        EXPECT_EQ(traces[0][k].gap, traces[1][k].gap) << k;
      }
    }
}

}  // namespace sdca_storage_test
}  // namespace seesaw
