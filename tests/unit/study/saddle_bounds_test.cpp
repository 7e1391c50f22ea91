#include "study/saddle_bounds.h"

#include <gtest/gtest.h>

#include <cmath>

#include "seesaw/error.h"
#include "support/problems.h"

namespace seesaw {
namespace saddle_bounds_test {

// Four rows of norm 1 with A^T A = 2 I. Ridge with lambda = 1/2: x* = A^T b/4 = (0.6, -0.2), y* = A x* - b = (-0.4, 0.8,
// -0.8, 0.4), so that |x*|^2 = 0.4 and |y*|^2 = 1.6. gamma = delta = 1, mu^2 = 2, N^2 = 1/2.
Dataset orthogonal_pairs() {
  Dataset data = test::table({{1, 0}, {0, 1}, {0.6, 0.8}, {-0.8, 0.6}});
  data.labels = {1, -1, 1, -1};
  return data;
}
constexpr double n = 4, lambda = 0.5, squared_x = 0.4, squared_y = 1.6;
const double N = 1.01 * std::sqrt(0.5);  // the computed norm is increased by 1 %
const double Lambda = lambda + N * N;

Curve curve(std::vector<Curve> (*make)(const SeriesInput&), const OptionValues& options = {},
            const std::string& loss = "squared", Intercept intercept = Intercept::none,
            const std::vector<MethodRuns>& runs = {}) {
  const Dataset data = orthogonal_pairs();
  Objective objective;
  objective.loss = loss;
  objective.lambda = lambda;
  objective.intercept = intercept;
  const Problem problem = make_problem(data, objective);
  return make(SeriesInput{problem, options, runs, {}, 3}).front();
}

TEST(AdaspdcBound, has_the_power_of_theta_for_rows_of_one_norm) {
  const double tau = std::sqrt(1 / (n * lambda)) / 2, sigma = std::sqrt(n * lambda) / 2;
  const double theta = 1 - 1 / (n + std::sqrt(n / lambda));
  const double start = squared_x + (1 / (2 * sigma) + 1) * squared_y / (1 / (2 * tau) + lambda);
  const Curve found = curve(adaspdc_bound);
  ASSERT_EQ(found.x, (std::vector<double>{1, 2, 3}));
  EXPECT_NEAR(found.y[0], Lambda / 2 * start * std::pow(theta, 4), 1e-9);
  EXPECT_NEAR(found.y[2], Lambda / 2 * start * std::pow(theta, 12), 1e-9);
}

// Rows (1, 0) and (0, 3), ridge with lambda = 1/2: x*_j = a_j b_j/(a_j^2 + 1) = (1/2, 3/10), y* = (-1/2, -1/10). The
// expectation of the product of two independent theta is the square of their mean (1 - 1/4 + 1 - 1/8)/2.
TEST(AdaspdcBound, has_the_power_of_the_mean_of_theta) {
  Dataset data = test::table({{1, 0}, {0, 3}});
  data.labels = {1, 1};
  Objective objective;
  objective.loss = "squared";
  objective.lambda = 0.5;
  objective.intercept = Intercept::none;
  const Problem problem = make_problem(data, objective);
  const Curve found = adaspdc_bound(SeriesInput{problem, {}, {}, {}, 3}).front();
  const double theta = (0.75 + 0.875) / 2, smoothness = 0.5 + 1.01 * 1.01 * 4.5;  // |A|^2/n = 9/2
  // tau = 1/(2 R), sigma = 1/(2 R); 1/(2 tau) + lambda of the longer tau, 1/2, is 3/2.
  const double start = 0.34 + ((1 + 1) * 0.25 + (3 + 1) * 0.01) / 1.5;
  EXPECT_NEAR(found.y[0], smoothness / 2 * start * std::pow(theta, 2), 1e-9);
  EXPECT_NEAR(found.y[2], smoothness / 2 * start * std::pow(theta, 6), 1e-9);
}

TEST(AisBound, is_that_of_theorem_1) {
  const double tau = 0.2 / 2 * std::sqrt(1 / (n * lambda)), sigma = 0.2 / 2 * std::sqrt(n * lambda);
  const double mu = std::min(2 * lambda * tau / (1 + 2 * lambda * tau), 1 / (n / sigma + n / 0.2));
  const double start = squared_x + (1 / (2 * sigma) + 1) * squared_y / (1 / (2 * tau) + lambda);
  EXPECT_NEAR(curve(ais_bound).y[1], Lambda / 2 * start * std::pow(1 - mu, 8), 1e-9);
}

TEST(StrongConvexityBound, is_that_of_theorem_1_per_iteration) {
  const double e = lambda + 0.5, tau = std::sqrt(1 / e) / N, sigma = std::sqrt(e) / N;  // delta mu^2/n = 1/2
  const double theta_x = (1 - 0.5 / ((1 + 2 * sigma) * N * N)) / (1 + tau * lambda), theta_y = 1 / (1 + sigma / 2);
  const double weight = 1 / (2 * tau) + lambda / 2;
  const double C = weight * squared_x + (1 / (2 * sigma) + 0.25) * squared_y / n;
  const Curve found = curve(strong_convexity_bound, {{"theorem", "1"}, {"mu", "data"}});
  EXPECT_NEAR(found.y[1], Lambda / 2 * std::pow(std::max(theta_x, theta_y), 2) * C / weight, 1e-9);
}

TEST(StrongConvexityBound, is_that_of_theorem_2_per_step) {
  const double e = n * lambda + 2, tau = std::sqrt(1 / e) / 4, sigma = std::sqrt(e) / 4;  // delta mu^2 = 2
  const double theta_x = (1 - tau * sigma * 2 / (2 * n * (sigma + 4))) / (1 + tau * lambda);
  const double theta_y = (1 + 0.75 * sigma / 2) / (1 + sigma / 2);
  const double weight = 1 / (2 * tau) + lambda / 2;
  const double C = weight * squared_x + (1 / (2 * sigma) + 0.25) * squared_y;
  const Curve found = curve(strong_convexity_bound, {{"theorem", "2"}, {"mu", "data"}});
  EXPECT_NEAR(found.y[0], Lambda / 2 * std::pow(std::max(theta_x, theta_y), 4) * C / weight, 1e-9);
}

// Squared loss, u^0 = 0: y^0 = -b, and the divergence is |y* - y^0|^2/2 = |A x*|^2/2 = |x*|^2.
TEST(StrongConvexityBound, starts_dual_free_methods_at_the_derivative_at_zero) {
  const double tau = std::sqrt(1 / lambda) / N, sigma = std::sqrt(lambda) / N;
  const double theta = std::max(1 / (1 + tau * lambda), 1 / (1 + sigma / 2)), weight = 1 / (2 * tau) + lambda / 2;
  const double C = weight * squared_x + (1 / sigma + 0.5) * squared_x / n;
  EXPECT_NEAR(curve(strong_convexity_bound, {{"theorem", "3"}}).y[2], Lambda / 2 * std::pow(theta, 3) * C / weight,
              1e-9);
  const double tau4 = std::sqrt(1 / (n * lambda)) / 4, sigma4 = std::sqrt(n * lambda) / 4;
  const double theta4 = std::max(1 / (1 + tau4 * lambda), (1 + 0.75 * sigma4 / 2) / (1 + sigma4 / 2));
  const double weight4 = 1 / (2 * tau4) + lambda / 2;
  const double C4 = weight4 * squared_x + (1 / sigma4 + 0.5) * squared_x;
  EXPECT_NEAR(curve(strong_convexity_bound, {{"theorem", "4"}}).y[0], Lambda / 2 * std::pow(theta4, 4) * C4 / weight4,
              1e-9);
}

TEST(AspdcIBound, falls_with_the_moves_of_the_centre) {
  MethodRuns method{"", "ASPDC-i", {}, {}};
  RunRecord run;
  run.solver = "aspdc-i";
  run.lines = {R"({"type":"header"})", R"({"type":"check","passes":2,"diagnostics":{"stage":1}})",
               R"({"type":"check","passes":6,"diagnostics":{"stage":3}})"};
  method.runs = {run};
  // kappa = 4/(n gamma) - lambda = 1/2, eta = lambda/(lambda + 2 kappa) = 1/3, P(0) - D(0) = mean of b^2/2 = 1/2
  const Curve found = curve(aspdc_i_bound, {}, "squared", Intercept::none, {method});
  EXPECT_EQ(found.x, (std::vector<double>{2, 6}));
  EXPECT_NEAR(found.y[0], 4 * 0.5 * std::exp(-1.0 / 6), 1e-12);
  EXPECT_NEAR(found.y[1], 4 * 0.5 * std::exp(-3.0 / 6), 1e-12);
}

TEST(SaddleBounds, are_refused_if_their_theorems_do_not_apply) {
  for (auto make : {adaspdc_bound, ais_bound, strong_convexity_bound}) {
    EXPECT_THROW(curve(make, {}, "hinge"), Error);
    EXPECT_THROW(curve(make, {}, "squared", Intercept::free), Error);
    EXPECT_THROW(curve(make, {{"theorm", "1"}}), Error);
  }
  EXPECT_THROW(curve(strong_convexity_bound, {{"theorem", "5"}}), Error);
}

}  // namespace saddle_bounds_test
}  // namespace seesaw
