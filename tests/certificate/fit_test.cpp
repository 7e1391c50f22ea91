// Fits: storages, weights, threads, warm starts, and degenerate data for every method.
#include <gtest/gtest.h>
#include <tbb/global_control.h>

#include <cmath>

#include "data/synthetic.h"
#include "model/model_file.h"
#include "run/fit.h"
#include "solvers/catalog.h"
#include "support/problems.h"
#include "support/specs.h"
#include "verify/verify.h"

namespace seesaw {
namespace fit_test {

using test::spec_of;
using test::Storage;

// The fit does not depend on the storage if all values are floats.
TEST(Storages, give_the_same_fit) {
  for (const char* loss : {"hinge", "logistic"}) {
    std::vector<Fit> fits;
    for (const Storage storage : test::all_storages) {
      FitSpec spec = spec_of(recipe_named("sdca"), loss_kind(loss), 0.05, 0, Intercept::free);
      spec.criteria.gap_abs = 1e-9;
      fits.push_back(fit(test::random_data(40, 5, Target::sign, 5, storage), spec));
    }
    for (const Fit& other : fits) {
      EXPECT_EQ(other.model.data_hash, fits[0].model.data_hash);
      for (std::size_t j = 0; j < 5; ++j) EXPECT_NEAR(other.model.x[j], fits[0].model.x[j], 5e-4) << loss;
      EXPECT_NEAR(other.outcome.certificate.primal, fits[0].outcome.certificate.primal, 2e-9);
    }
  }
}

// Weight 2 equals repeating the row: objective, gap and result.
TEST(Weights, are_repetitions) {
  for (const LossKind& kind : loss_kinds()) {
    const test::Matrix matrix = test::random_matrix(30, 4, 77);
    const std::vector<double> labels = test::random_labels(matrix, kind.target, 77);
    test::Matrix repeated;
    std::vector<double> repeated_labels;
    Dataset weighted = test::table(matrix);
    weighted.labels = labels;
    for (std::size_t i = 0; i < 30; ++i) {
      const int times = 1 + int(i % 3);
      weighted.weights.push_back(times);
      for (int k = 0; k < times; ++k) {
        repeated.push_back(matrix[i]);
        repeated_labels.push_back(labels[i]);
      }
    }
    Dataset twice = test::table(repeated);
    twice.labels = repeated_labels;
    for (const Intercept intercept : {Intercept::none, Intercept::free}) {
      FitSpec spec;  // lambda by its default, 1 / sum of weights
      spec.objective.loss = kind.name;
      spec.objective.intercept = intercept;
      spec.scaling = Scaling::columns_std;
      spec.solver.name = "sdca";
      spec.criteria.gap = 0;
      spec.criteria.gap_abs = kind.gamma() > 0 ? 1e-11 : 1e-7;
      spec.criteria.max_passes = 50000;
      const Fit a = fit(weighted, spec), b = fit(twice, spec);
      ASSERT_EQ(a.outcome.termination, Termination::converged) << kind.name;
      ASSERT_EQ(b.outcome.termination, Termination::converged) << kind.name;
      EXPECT_DOUBLE_EQ(a.model.objective.lambda, b.model.objective.lambda);
      EXPECT_NEAR(a.outcome.certificate.primal, b.outcome.certificate.primal, 2 * spec.criteria.gap_abs) << kind.name;
      const double bound = *a.outcome.certificate.distance_bound + *b.outcome.certificate.distance_bound;
      double distance = 0;
      for (std::size_t j = 0; j < 4; ++j) distance += std::pow(a.model.x[j] - b.model.x[j], 2);
      EXPECT_LE(std::sqrt(distance), bound) << kind.name;
    }
  }
}

TEST(Fit, is_bit_for_bit_the_same_for_any_number_of_threads_and_the_same_seed) {
  std::vector<Fit> fits;
  for (const std::size_t threads : {1, 2, 2}) {
    const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads);
    FitSpec spec = spec_of(recipe_named("sdca"), loss_kind("logistic"), 1e-3, 0, Intercept::free);
    spec.solver.seed = 3;
    fits.push_back(fit(test::random_data(20000, 8, Target::sign, 6), spec));
  }
  for (const Fit& other : fits) {
    EXPECT_EQ(other.model.x, fits[0].model.x);
    EXPECT_EQ(other.model.y, fits[0].model.y);
    EXPECT_EQ(other.outcome.certificate.gap, fits[0].outcome.certificate.gap);
    EXPECT_EQ(other.outcome.last.passes, fits[0].outcome.last.passes);
  }
}

// The free intercept must converge fast for large lambda and not depend on the unit of the features.
TEST(Fit, converges_in_few_passes_for_any_scale_of_lambda_and_features) {
  for (const LossKind& kind : loss_kinds())
    for (const double unit : {1e-3, 1.0, 1e3})
      for (const double strength : {1.0, 1e2, 1e5}) {
        test::Matrix matrix = test::random_matrix(60, 4, 5);
        const std::vector<double> labels = test::random_labels(matrix, kind.target, 5);
        for (auto& row : matrix)
          for (double& value : row) value *= unit;
        Dataset data = test::table(matrix);
        data.labels = labels;
        FitSpec spec = spec_of(recipe_named("sdca"), kind, strength * unit * unit, 0, Intercept::free);
        spec.criteria.gap = 1e-4;
        const Fit result = fit(data, spec);
        EXPECT_EQ(result.outcome.termination, Termination::converged) << kind.name;
        EXPECT_LE(result.outcome.last.passes, 60) << kind.name << " unit " << unit << " strength " << strength;
        EXPECT_TRUE(verify(data, result.model).holds) << kind.name;
      }
}

TEST(Fit, reports_convergence_exactly_when_its_certificate_proves_it) {
  const Dataset data = test::random_data(50, 4, Target::sign, 6);
  for (const double gap : {1e-2, 1e-8, 1e-13, 1e-16})
    for (const double passes : {0.0, 3.0, 3000.0}) {
      FitSpec spec = spec_of(recipe_named("sdca"), loss_kind("logistic"), 0.01, 0, Intercept::free);
      spec.criteria.gap = gap;
      spec.criteria.gap_abs = 0;
      spec.criteria.max_passes = passes;
      const Outcome outcome = fit(data, spec).outcome;
      const bool proved = outcome.certificate.gap <= gap * outcome.certificate.primal;
      EXPECT_EQ(outcome.termination == Termination::converged, proved) << gap << " " << passes;
    }
}

TEST(Fit, starts_warm_from_the_weights_of_another_program) {
  const Dataset data = test::random_data(200, 8, Target::sign, 6);
  FitSpec spec = spec_of(recipe_named("sdca"), loss_kind("hinge"), 1e-2, 0, Intercept::free);
  const Fit cold = fit(data, spec);
  LinearModel bare = cold.model;  // like a model of LIBLINEAR: no dual point, no hash
  bare.y.clear();
  bare.data_hash = 0;
  spec.criteria.max_passes = 0;
  EXPECT_NEAR(fit(data, spec, &bare).outcome.certificate.primal, cold.outcome.certificate.primal, 1e-9);
}

TEST(Fit, starts_warm_from_a_model) {
  const Dataset data = test::random_data(200, 8, Target::sign, 6);
  for (const Intercept intercept : {Intercept::none, Intercept::penalized, Intercept::free}) {
    FitSpec spec = spec_of(recipe_named("sdca"), loss_kind("logistic"), 1e-3, 0, intercept);
    const Fit cold = fit(data, spec);
    const Fit warm = fit(data, spec, &cold.model);
    EXPECT_GT(cold.outcome.last.passes, 2);
    EXPECT_LE(warm.outcome.last.passes, 1);
    spec.objective.lambda = 8e-4;  // a similar problem: still a better start than none
    EXPECT_LT(fit(data, spec, &cold.model).outcome.trace[0].gap, fit(data, spec).outcome.trace[0].gap);
  }
}

// Not only is the point of the model kept: the method itself starts there.
TEST(Fit, starts_every_method_at_the_point_of_a_warm_model) {
  const Dataset data = test::random_data(200, 8, Target::sign, 6);
  for (const Recipe& recipe : catalog())
    for (const double l1 : {0.0, 0.01})
      for (const Intercept intercept : {Intercept::none, Intercept::free}) {
        FitSpec spec = spec_of(recipe, loss_kind("smooth-hinge"), 1e-2, l1, intercept);
        const Problem problem = make_problem(data, spec.objective);
        if (missing(recipe, problem)) continue;
        const Fit cold = fit(data, spec);
        ASSERT_EQ(cold.outcome.termination, Termination::converged) << recipe.name;
        Start start{.y = cold.model.y, .x = cold.model.x, .intercept = cold.model.intercept};
        for (const bool has_x : {true, false}) {
          if (!has_x) start.x.clear();
          Point point;
          make_solver(problem, spec.solver, start)->read(point);
          EXPECT_LE(Certifier(problem).certify(point).gap, 1e-5) << recipe.name << " has x: " << has_x;
        }
      }
}

TEST(EveryMethod, solves_data_without_any_entry) {
  Dataset data = test::table({{0, 0}, {0, 0}, {0, 0}});
  data.labels = {1, -1, 1};
  data.source = "empty";
  for (const Recipe& recipe : catalog()) {
    const FitSpec spec = spec_of(recipe, loss_kind("logistic"), 0.1, 0, Intercept::none);
    if (missing(recipe, make_problem(data, spec.objective))) continue;
    const Fit result = fit(data, spec);
    EXPECT_EQ(result.outcome.termination, Termination::converged) << recipe.name;
    EXPECT_NEAR(result.outcome.certificate.primal, std::log(2), 1e-12) << recipe.name;
    FitSpec endless = spec;  // passes are counted nevertheless
    endless.criteria.gap_abs = 0;
    endless.criteria.max_passes = 10;
    const Outcome idle = fit(data, endless).outcome;
    EXPECT_EQ(idle.termination, Termination::pass_limit) << recipe.name;
    EXPECT_GE(idle.last.passes, 10) << recipe.name;
  }
}

// The y of an empty row is that of the original loss, also for a label below the first smoothing.
TEST(EveryMethod, solves_nonsmooth_losses_with_empty_rows) {
  test::Matrix matrix = test::random_matrix(60, 3, 4);
  std::vector<double> labels = test::random_labels(matrix, Target::number, 4);
  for (std::size_t i = 0; i < matrix.size(); i += 2) {
    matrix[i] = {0, 0, 0};
    labels[i] = 0.0025;
  }
  Dataset data = test::table(matrix);
  data.labels = labels;
  for (const Recipe& recipe : catalog())
    for (const char* loss : {"absolute", "quantile", "epsilon-insensitive"}) {
      const FitSpec spec = spec_of(recipe, loss_kind(loss), 0.05, 0, Intercept::none);
      if (missing(recipe, make_problem(data, spec.objective))) continue;
      const Fit result = fit(data, spec);
      EXPECT_EQ(result.outcome.termination, Termination::converged) << recipe.name << " " << loss;
      EXPECT_TRUE(verify(data, result.model).holds) << recipe.name << " " << loss;
    }
}

TEST(EveryMethod, solves_a_single_row_with_any_lambda) {
  Dataset data = test::table({{1.0}});
  data.labels = {1};
  for (const Recipe& recipe : catalog())
    for (const double lambda : {1e-3, 1.0, 1e8, 1e16}) {
      const FitSpec spec = spec_of(recipe, loss_kind("squared"), lambda, 0, Intercept::none);
      if (missing(recipe, make_problem(data, spec.objective))) continue;
      const Fit result = fit(data, spec);
      EXPECT_EQ(result.outcome.termination, Termination::converged) << recipe.name << " lambda " << lambda;
      const double rounding = 1e-16 * result.outcome.certificate.primal;  // of the gap, at the least
      EXPECT_LE(std::abs(result.model.x[0] - 1 / (1 + lambda)),
                std::sqrt(2 * (result.outcome.certificate.gap + rounding) / lambda) + 1e-14 / (1 + lambda))
          << recipe.name << " lambda " << lambda;
    }
}

TEST(EveryMethod, counts_n_draws_as_a_pass_also_in_batches) {
  const Dataset data = test::random_data(50, 5, Target::sign, 6, Storage::dense);
  double of_single_rows = 0;
  for (const char* batch : {"1", "7", "40", "48"}) {
    FitSpec spec = spec_of(recipe_named("spdc"), loss_kind("logistic"), 0.05, 0, Intercept::none);
    spec.solver.options = {{"batch", batch}};
    spec.criteria.gap_abs = 1e-300;
    spec.criteria.max_passes = 20;
    const TraceRow last = fit(data, spec).outcome.last;
    if (of_single_rows == 0) of_single_rows = last.entry_passes / last.passes;
    EXPECT_NEAR(last.entry_passes / last.passes, of_single_rows, 1e-9) << batch;
  }
}

// A warm start with a very small P: later values are larger, but this is no divergence.
TEST(Fit, does_not_take_a_warm_start_at_a_tiny_objective_for_divergence) {
  const Dataset data = test::random_data(12, 40, Target::sign, 9, Storage::dense);
  FitSpec spec = spec_of(recipe_named("sdca"), loss_kind("squared-hinge"), 1e-9, 0, Intercept::none);
  spec.criteria.gap_abs = 0;
  spec.criteria.gap = 1e-6;
  const Fit first = fit(data, spec);
  ASSERT_EQ(first.outcome.termination, Termination::converged);
  spec.objective.lambda = 1e-10;
  for (const char* name : {"sdca", "spdhg"}) {
    spec.solver.name = name;
    EXPECT_EQ(fit(data, spec, &first.model).outcome.termination, Termination::converged) << name;
  }
}

}  // namespace fit_test
}  // namespace seesaw
