// Few rows with many features: the solution found in n dimensions is the optimum in all d dimensions.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <tbb/global_control.h>

#include "run/fit.h"
#include "solvers/catalog.h"
#include "support/multiclass.h"
#include "support/problems.h"
#include "support/specs.h"

namespace seesaw {
namespace rotation_test {

using test::spec_of;
using test::verification_problems;

FitSpec rot_spec(const LossKind& kind, double lambda, Intercept intercept) {
  return spec_of(recipe_named("rot"), kind, lambda, 0, intercept);
}

TEST(Rotation, finds_the_optimum_of_dual_ascent_for_every_loss_intercept_and_weights) {
  for (const LossKind& kind : loss_kinds())
    for (const Intercept intercept : {Intercept::none, Intercept::penalized, Intercept::free})
      for (const bool weighted : {false, true}) {
        Dataset data = test::random_data(12, 60, kind.target, 3);  // row 3 is empty
        if (weighted) test::add_weights(data);
        const FitSpec spec = rot_spec(kind, 0.05, intercept);
        FitSpec other = spec;
        other.solver.name = "sdca";
        const Fit rotated = fit(data, spec), direct = fit(data, other);
        const std::string what = fmt::format("{} {} weighted {}", kind.name, name_of(intercept), weighted);
        EXPECT_EQ(rotated.outcome.termination, Termination::converged) << what;
        EXPECT_EQ(verification_problems(data, rotated), "") << what;
        EXPECT_NEAR(rotated.outcome.certificate.primal, direct.outcome.certificate.primal, 2 * spec.criteria.gap_abs)
            << what;
        double distance = 0;
        for (std::size_t j = 0; j < rotated.model.x.size(); ++j)
          distance += std::pow(rotated.model.x[j] - direct.model.x[j], 2);
        EXPECT_LE(std::sqrt(distance),
                  *rotated.outcome.certificate.distance_bound + *direct.outcome.certificate.distance_bound)
            << what;
      }
}

// A A^T is singular: its factor exists only because of the shifted diagonal, which does not affect the certificate.
TEST(Rotation, certifies_repeated_rows_repeated_and_constant_columns_and_empty_rows) {
  test::Matrix matrix = test::random_matrix(10, 30, 8);
  for (auto& row : matrix) {
    row.insert(row.end(), row.begin(), row.begin() + 10);
    row.push_back(1);
  }
  std::vector<double> signs = test::random_labels(matrix, Target::sign, 8);
  matrix.insert(matrix.end(), {matrix[0], matrix[0], matrix[5], std::vector<double>(41), std::vector<double>(41)});
  signs.insert(signs.end(), {signs[0], 7 - signs[0], signs[5], 2, 5});  // the same row with both labels
  Dataset data = test::table(matrix);
  data.labels = signs;
  for (const char* loss : {"hinge", "logistic", "squared-hinge", "squared", "absolute"})
    for (const double lambda : {1e-3, 0.1, 100.0})
      for (const Intercept intercept : {Intercept::none, Intercept::free}) {
        FitSpec spec = rot_spec(loss_kind(loss), lambda, intercept);
        spec.criteria.gap_abs = 0;
        spec.criteria.gap = 1e-6;
        spec.criteria.max_passes = 1e6;
        const Fit result = fit(data, spec);
        EXPECT_EQ(result.outcome.termination, Termination::converged)
            << loss << " " << lambda << " gap " << result.outcome.certificate.relative_gap();
        EXPECT_EQ(verification_problems(data, result), "") << loss << " " << lambda;
      }
}

TEST(Rotation, is_the_same_for_any_number_of_threads) {
  const Dataset data = test::random_data(30, 8000, Target::sign, 6);
  std::vector<Fit> fits;
  for (const std::size_t threads : {1, 2}) {
    const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads);
    fits.push_back(fit(data, rot_spec(loss_kind("logistic"), 0.1, Intercept::free)));
  }
  EXPECT_EQ(fits[0].model.x, fits[1].model.x);
  EXPECT_EQ(fits[0].model.y, fits[1].model.y);
}

TEST(Rotation, starts_warm_at_x_as_well_as_at_y) {
  const Dataset data = test::random_data(20, 100, Target::sign, 6);
  const FitSpec spec = rot_spec(loss_kind("logistic"), 0.01, Intercept::free);
  const Problem problem = make_problem(data, spec.objective);
  const Fit cold = fit(data, spec);
  Start start{.y = cold.model.y, .x = cold.model.x, .intercept = cold.model.intercept};
  Point point;
  make_solver(problem, spec.solver, start)->read(point);
  EXPECT_LE(Certifier(problem).certify(point).gap, 1e-7);
}

// One row and one feature; the solution is known.
TEST(Rotation, solves_a_single_row) {
  Dataset data = test::table({{3.0, 4.0}});
  data.labels = {2};
  for (const double lambda : {1e-6, 1.0, 1e6}) {
    FitSpec spec = rot_spec(loss_kind("squared"), lambda, Intercept::none);
    spec.criteria.gap_abs = 1e-14;
    const Fit result = fit(data, spec);
    EXPECT_EQ(result.outcome.termination, Termination::converged);
    EXPECT_NEAR(result.model.x[0], 2 * 3 / (25 + lambda), 1e-6 / std::sqrt(lambda));
    EXPECT_NEAR(result.model.x[1], 2 * 4 / (25 + lambda), 1e-6 / std::sqrt(lambda));
  }
}

TEST(Rotation, reports_its_requirements) {
  const Recipe& rot = recipe_named("rot");
  const Dataset many = test::random_data(3001, 2, Target::sign, 6), few = test::random_data(40, 50, Target::sign, 6);
  const FitSpec spec = rot_spec(loss_kind("hinge"), 0.1, Intercept::none);
  const auto reason = missing(rot, make_problem(many, spec.objective));
  ASSERT_TRUE(reason);
  EXPECT_NE(reason->find("at most 3000 rows, and here there are 3001"), std::string::npos);
  EXPECT_TRUE(message_for(make_problem(few, spec.objective), spec.solver));
  const Dataset fewer = test::random_data(20, 50, Target::sign, 6);
  EXPECT_FALSE(message_for(make_problem(fewer, spec.objective), spec.solver));
}

}  // namespace rotation_test
}  // namespace seesaw
