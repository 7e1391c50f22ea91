#include "study/ais_probe.h"

#include <gtest/gtest.h>

#include <cmath>

#include "data/synthetic.h"
#include "seesaw/error.h"
#include "solvers/catalog.h"
#include "support/table.h"

namespace seesaw {
namespace ais_probe_test {

Dataset some_data(Task task, std::size_t n = 30) {
  SynthOptions options;
  options.n = n;
  options.d = 6;
  options.task = task;
  return synthesize("decay", options);
}

Objective ridge(double lambda = 0.05) {
  Objective objective;
  objective.loss = "squared";
  objective.lambda = lambda;
  objective.intercept = Intercept::none;
  return objective;
}

Objective smooth_hinge() {
  Objective objective = ridge();
  objective.loss = "smooth-hinge";
  return objective;
}

TEST(AisProbe, takes_the_steps_of_the_recipe) {
  const Dataset data = some_data(Task::classification);
  const Problem problem = make_problem(data, smooth_hinge());
  const AisProbe probe = probe_ais(problem, dual_optimum(problem), {.passes = 7, .seed = 3});
  const auto solver = make_solver(problem, {"spdc-ais", {{"steps", "theorem1"}, {"clip", "off"}, {"ramp", "7"}}, 3});
  for (int pass = 0; pass < 7; ++pass) solver->epoch();
  Point point;
  solver->read(point);
  for (std::size_t j = 0; j < point.x.size(); ++j) EXPECT_NEAR(probe.x[j], point.x[j], 1e-12);
  for (std::size_t i = 0; i < point.y.size(); ++i) EXPECT_NEAR(probe.y[i], point.y[i], 1e-12);
}

// One step of ridge regression from zero, by hand: the first row is drawn uniformly, and delta is 0.8 at once.
TEST(AisProbe, measures_the_formulas_of_the_paper) {
  const std::size_t n = 10;
  const double N = 10, lambda = 0.05;
  const Dataset data = some_data(Task::regression, n);
  const Problem problem = make_problem(data, ridge(lambda));
  const DualOptimum optimum = dual_optimum(problem);
  const AisProbe probe = probe_ais(problem, optimum, {.passes = 0.1, .points = 1});

  const test::Matrix a = test::matrix_of(data);
  const auto inner = [&](std::size_t i, std::size_t k) {
    double sum = 0;
    for (std::size_t j = 0; j < a[i].size(); ++j) sum += a[i][j] * a[k][j];
    return sum;
  };
  double R = 0;
  for (std::size_t i = 0; i < n; ++i) R = std::max(R, std::sqrt(inner(i, i)));
  const double tau = 0.1 / R / std::sqrt(N * lambda), sigma = 0.1 / R * std::sqrt(N * lambda);
  const double mu = std::min(2 * lambda * tau / (1 + 2 * lambda * tau), 1 / (N / sigma + N / 0.2));
  EXPECT_NEAR(probe.theta, 1 - mu, 1e-14);

  std::size_t drawn = n;
  for (std::size_t i = 0; i < n; ++i)
    if (probe.y[i] != 0) drawn = i;
  ASSERT_LT(drawn, n);
  const double dy = -sigma * data.labels[drawn] / (1 + sigma);
  EXPECT_NEAR(probe.y[drawn], dy, 1e-14);

  const double h = std::sqrt(std::abs(dy / sigma));  // of the others it is still 1
  double above = 0, below = 0, maps = 0, cubes = 0, distance = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const double p = 0.2 / N + 0.8 * (i == drawn ? h : 1) / (N - 1 + h), y = i == drawn ? dy : 0;
    const double e = (y - optimum.y[i]) * (y - optimum.y[i]);
    above += (1 / (2 * sigma) + (1 - p) / (N * p)) * e;
    below += (1 / (2 * sigma) + 1) * e;                                            // p was 1/N
    const double z = -(2 - mu) * tau * dy * inner(i, drawn) / (1 + tau * lambda);  // at xbar = (1 + theta) x
    const double map = std::abs((z - data.labels[i] - y) / (1 + sigma));
    maps += map;
    cubes += map * map * map;
    distance += e;
  }
  ASSERT_EQ(probe.theta_t.size(), 1U);
  EXPECT_EQ(probe.iteration[0], 1);
  EXPECT_NEAR(probe.theta_t[0], above / below, 1e-12);
  EXPECT_NEAR(probe.rho_t[0], (cubes / maps - maps * maps / N / N) / (distance / N), 1e-10);
}

TEST(AisProbe, gives_the_requested_points_and_stops_below_the_error_of_the_optimum) {
  const Dataset data = some_data(Task::classification);
  const Problem problem = make_problem(data, smooth_hinge());
  DualOptimum optimum = dual_optimum(problem);
  const AisProbe probe = probe_ais(problem, optimum, {.passes = 20, .points = 50});
  ASSERT_EQ(probe.iteration.size(), 50U);
  EXPECT_EQ(probe.iteration.back(), 600);
  for (const double rho : probe.rho_t) EXPECT_GE(rho, 0);
  optimum.squared_error = 1e9;
  EXPECT_TRUE(probe_ais(problem, optimum, {.passes = 20, .points = 50}).iteration.empty());
}

TEST(AisProbe, finds_the_dual_optimum) {
  const Dataset data = some_data(Task::regression);
  const Problem problem = make_problem(data, ridge());
  const DualOptimum optimum = dual_optimum(problem);
  EXPECT_LT(optimum.squared_error, 1e-10);
  // y = phi'(a.x) = a.x - b at x = -s/lambda
  const test::Matrix a = test::matrix_of(data);
  std::vector<double> x(6);
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t j = 0; j < 6; ++j) x[j] -= optimum.y[i] * a[i][j] / (30 * 0.05);
  for (std::size_t i = 0; i < a.size(); ++i) {
    double z = 0;
    for (std::size_t j = 0; j < 6; ++j) z += a[i][j] * x[j];
    EXPECT_NEAR(optimum.y[i], z - data.labels[i], 1e-5);
  }
}

TEST(AisProbe, refuses_problems_to_which_the_algorithm_does_not_apply) {
  const Dataset data = some_data(Task::classification);
  Objective hinge = smooth_hinge(), lasso = smooth_hinge(), free = smooth_hinge();
  hinge.loss = "hinge";
  lasso.l1 = 0.01;
  free.intercept = Intercept::free;
  for (const Objective& objective : {hinge, lasso, free}) {
    const Problem problem = make_problem(data, objective);
    EXPECT_THROW(probe_ais(problem, {std::vector<double>(problem.n()), 0}), Error);
  }
}

}  // namespace ais_probe_test
}  // namespace seesaw
