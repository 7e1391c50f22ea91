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
constexpr double n = 4, lambda = 0.5;
const double N = 1.01 * std::sqrt(0.5);  // the computed norm is increased by 1 %

// The squared loss, and (z - b)^2 without 1/2: gamma = 1/2, delta = 2. Then x* = A^T b/3 = (0.8, -4/15) and y* = 2 (A x* - b)
// = (-0.4, 22/15, -22/15, 0.4). Both have delta gamma = 1.
struct Known {
  const char* loss;
  double gamma, squared_x, squared_y;
  double delta() const { return 1 / gamma; }
  double Lambda() const { return lambda + N * N / gamma; }
  // sum_i of the divergence of phi_i* from y_i^0 = phi_i'(0) to y_i*: (gamma/2)(y* - y^0)^2 with y* - y^0 = A x*/gamma
  double divergence() const { return squared_x / gamma; }
};
const Known squared{"squared", 1, 0.4, 1.6};
const Known doubled{"squared-epsilon-insensitive", 0.5, 0.64 + 16.0 / 225, 0.32 + 2 * 484.0 / 225};

Curve curve(std::vector<Curve> (*make)(const SeriesInput&), const OptionValues& options = {},
            const std::string& loss = "squared", Intercept intercept = Intercept::none,
            const std::vector<MethodRuns>& runs = {}) {
  const Dataset data = orthogonal_pairs();
  Objective objective;
  objective.loss = loss;
  if (loss == doubled.loss) objective.loss_parameter = 0;
  objective.lambda = lambda;
  objective.intercept = intercept;
  const Problem problem = make_problem(data, objective);
  return make(SeriesInput{problem, options, runs, {}, 3}).front();
}

TEST(AdaspdcBound, has_the_power_of_theta_for_rows_of_one_norm) {
  for (const Known& k : {squared, doubled}) {
    const double tau = std::sqrt(k.gamma / (n * lambda)) / 2, sigma = std::sqrt(n * lambda / k.gamma) / 2;
    const double theta = 1 - 1 / (n + std::sqrt(n / (lambda * k.gamma)));
    const double start = k.squared_x + (1 / (2 * sigma) + k.gamma) * k.squared_y / (1 / (2 * tau) + lambda);
    const Curve found = curve(adaspdc_bound, {}, k.loss);
    ASSERT_EQ(found.x, (std::vector<double>{1, 2, 3}));
    EXPECT_NEAR(found.y[0], k.Lambda() / 2 * start * std::pow(theta, 4), 1e-9) << k.loss;
    EXPECT_NEAR(found.y[2], k.Lambda() / 2 * start * std::pow(theta, 12), 1e-9) << k.loss;
  }
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
  for (const Known& k : {squared, doubled})
    for (const double delta : {0.8, 0.3}) {
      const double rest = 1 - delta;
      const double tau = rest / 2 * std::sqrt(k.gamma / (n * lambda)),
                   sigma = rest / 2 * std::sqrt(n * lambda / k.gamma);
      const double mu = std::min(2 * lambda * tau / (1 + 2 * lambda * tau), 1 / (n / (sigma * k.gamma) + n / rest));
      const double start = k.squared_x + (1 / (2 * sigma) + k.gamma) * k.squared_y / (1 / (2 * tau) + lambda);
      const OptionValues options = delta == 0.8 ? OptionValues{} : OptionValues{{"delta", "0.3"}, {"ramp", "2"}};
      EXPECT_NEAR(curve(ais_bound, options, k.loss).y[1], k.Lambda() / 2 * start * std::pow(1 - mu, 8), 1e-9)
          << k.loss << " " << delta;
    }
}

// Few rows and a large lambda: the probability of a row whose y_i arrives at a bound drops in one step.
TEST(AisBound, is_refused_where_its_condition_on_the_probabilities_fails) {
  Dataset data = test::table(test::random_matrix(30, 3, 5));
  data.labels.clear();
  for (int i = 0; i < 30; ++i) data.labels.push_back(i % 2 == 0 ? -1 : 1);
  Objective objective;
  objective.loss = "smooth-hinge";
  objective.lambda = 100;
  objective.intercept = Intercept::none;
  const Problem problem = make_problem(data, objective);
  try {
    ais_bound(SeriesInput{problem, {}, {}, {}, 100});
    FAIL() << "(15) does not hold";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("theta_t is above theta in"), std::string::npos) << error.what();
  }
}

TEST(StrongConvexityBound, is_that_of_theorem_1_per_iteration) {
  for (const Known& k : {squared, doubled}) {
    const double curvature = k.delta() * 0.5, e = lambda + curvature;  // delta mu^2/n
    const double tau = std::sqrt(k.gamma / e) / N, sigma = std::sqrt(e / k.gamma) / N;
    const double theta_x = (1 - curvature / ((k.delta() + 2 * sigma) * N * N)) / (1 + tau * lambda);
    const double theta_y = 1 / (1 + sigma * k.gamma / 2), weight = 1 / (2 * tau) + lambda / 2;
    const double C = weight * k.squared_x + (1 / (2 * sigma) + k.gamma / 4) * k.squared_y / n;
    const Curve found = curve(strong_convexity_bound, {{"theorem", "1"}, {"mu", "data"}}, k.loss);
    EXPECT_NEAR(found.y[1], k.Lambda() / 2 * std::pow(std::max(theta_x, theta_y), 2) * C / weight, 1e-9) << k.loss;
  }
}

TEST(StrongConvexityBound, is_that_of_theorem_2_per_step) {
  for (const Known& k : {squared, doubled}) {
    const double curvature = k.delta() * 2, e = n * lambda + curvature;  // delta mu^2
    const double tau = std::sqrt(k.gamma / e) / 4, sigma = std::sqrt(e / k.gamma) / 4;
    const double theta_x = (1 - tau * sigma * curvature / (2 * n * (sigma + 4 * k.delta()))) / (1 + tau * lambda);
    const double theta_y = (1 + 0.75 * sigma * k.gamma / 2) / (1 + sigma * k.gamma / 2);
    const double weight = 1 / (2 * tau) + lambda / 2;
    const double C = weight * k.squared_x + (1 / (2 * sigma) + k.gamma / 4) * k.squared_y;
    const Curve found = curve(strong_convexity_bound, {{"theorem", "2"}, {"mu", "data"}}, k.loss);
    EXPECT_NEAR(found.y[0], k.Lambda() / 2 * std::pow(std::max(theta_x, theta_y), 4) * C / weight, 1e-9) << k.loss;
  }
}

// u^0 = 0: y^0 = phi'(0).
TEST(StrongConvexityBound, starts_dual_free_methods_at_the_derivative_at_zero) {
  for (const Known& k : {squared, doubled})
    for (const bool data : {false, true}) {
      const OptionValues mu = data ? OptionValues{{"mu", "data"}} : OptionValues{};
      const auto bound = [&](const char* theorem) {
        OptionValues options = mu;
        options["theorem"] = theorem;
        return curve(strong_convexity_bound, options, k.loss);
      };
      const double Delta = data ? k.delta() * 0.5 : 0, e = lambda + Delta;  // delta mu^2/n
      const double tau = std::sqrt(k.gamma / e) / N, sigma = std::sqrt(k.gamma * e) / N;
      const double theta =
          std::max((1 - tau * sigma * Delta / (4 + 2 * sigma)) / (1 + tau * lambda), 1 / (1 + sigma / 2));
      const double weight = 1 / (2 * tau) + lambda / 2;
      const double C = weight * k.squared_x + (1 / sigma + 0.5) * k.divergence() / n;
      EXPECT_NEAR(bound("3").y[2], k.Lambda() / 2 * std::pow(theta, 3) * C / weight, 1e-9) << k.loss << data;
      const double tau4 = std::sqrt(k.gamma / (n * e)) / 4, sigma4 = std::sqrt(k.gamma * n * e) / 4;
      const double theta_x4 = (1 - tau4 * sigma4 * n * Delta / (n * (4 + 2 * sigma4))) / (1 + tau4 * lambda);
      const double theta4 = std::max(theta_x4, (1 + 0.75 * sigma4 / 2) / (1 + sigma4 / 2));
      const double weight4 = 1 / (2 * tau4) + lambda / 2;
      const double C4 = weight4 * k.squared_x + (1 / sigma4 + 0.5) * k.divergence();
      EXPECT_NEAR(bound("4").y[0], k.Lambda() / 2 * std::pow(theta4, 4) * C4 / weight4, 1e-9) << k.loss << data;
    }
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
