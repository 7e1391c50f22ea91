// The effect of momentum and restart on data where it is decisive: features with a common mean, which couple the free
// intercept and x.
#include <gtest/gtest.h>

#include "base/rng.h"
#include "run/fit.h"
#include "support/problems.h"
#include "support/specs.h"

namespace seesaw {
namespace momentum_test {

Dataset features_of_mean_ten() {
  Rng rng(1);
  test::Matrix matrix(300, std::vector<double>(6));
  std::vector<double> labels;
  for (auto& row : matrix) {
    double sum = rng.normal();
    for (double& value : row) sum += (value = 10 + rng.normal()) - 10;
    labels.push_back(sum > 0 ? 1 : -1);
  }
  Dataset data = test::table(matrix, test::Storage::dense);
  data.labels = labels;
  return data;
}

double passes(const Dataset& data, const std::string& solver, const OptionValues& options, double lambda) {
  FitSpec spec = test::spec_of(recipe_named(solver), loss_kind("logistic"), lambda, 0, Intercept::free);
  spec.solver.options = options;
  spec.criteria.gap_abs = 0;
  spec.criteria.gap = 1e-5;
  const Outcome outcome = fit(data, spec).outcome;
  EXPECT_EQ(outcome.termination, Termination::converged) << solver;
  return outcome.last.passes;
}

// Without restart the center of the intercept has no momentum.
TEST(Catr, gives_the_center_of_the_free_intercept_momentum) {
  const Dataset data = features_of_mean_ten();
  const double of_catr = passes(data, "catr", {}, 1e-4);
  EXPECT_LE(of_catr, 400);
  EXPECT_LE(3 * of_catr, passes(data, "catr", {{"restart", "off"}}, 1e-4));
}

TEST(PrimalAg, restarts_if_the_data_adds_curvature_to_lambda) {
  const Dataset data = test::random_data(200, 8, Target::sign, 6);
  const double with = passes(data, "primal-ag", {}, 1e-6);
  EXPECT_LE(5 * with, passes(data, "primal-ag", {{"restart", "off"}}, 1e-6)) << with;
}

}  // namespace momentum_test
}  // namespace seesaw
