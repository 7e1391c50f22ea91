// Balanced and scaled dual points for l1 > 0 against the dual objective by hand.
#include "solvers/parts/l1/scaled_dual.h"

#include <gtest/gtest.h>

#include "support/problems.h"

namespace seesaw {
namespace scaled_dual_test {

std::vector<double> some_dual_point(const Problem& problem) {
  std::vector<double> y(problem.n());
  for (std::size_t i = 0; i < y.size(); ++i)
    std::visit(
        [&](const auto& loss) { y[i] = loss.domain(problem.scalar().target[i]).clip(std::cos(5.0 * double(i))); },
        problem.scalar().loss);
  return y;
}

TEST(ScaledDual, value_is_the_dual_objective_at_the_scaled_point) {
  for (const LossKind& kind : loss_kinds()) {
    const Dataset data = test::random_data(30, 6, kind.target, 3);
    Objective objective;
    objective.loss = kind.name;
    objective.lambda = 0.1;
    objective.l1 = 0.02;
    objective.intercept = Intercept::none;
    const Problem problem = make_problem(data, objective);
    const std::vector<double> y = some_dual_point(problem);
    std::vector<double> cy(y), v(problem.d());
    for (std::size_t i = 0; i < y.size(); ++i) cy[i] *= -problem.normalized_weight[i];
    multiply_transposed(data.rows, cy.data(), v.data());
    for (const double s : {1.0, 0.3, 0.0}) {
      std::vector<double> scaled(y);
      for (double& yi : scaled) yi *= s;
      const double dual =
          std::visit([&](const auto& loss) { return dual_value(problem, loss, y, v, s); }, problem.scalar().loss);
      EXPECT_NEAR(dual, double(test::slow_dual(problem, scaled)), 1e-13) << kind.name << " scaled by " << s;
    }
  }
}

TEST(ScaledDual, balancing_scales_one_sign_so_that_the_weighted_sum_is_0) {
  Dataset data = test::random_data(30, 6, Target::number, 3);
  for (std::size_t i = 0; i < data.n(); ++i) data.weights.push_back(0.5 + double(i % 3));
  Objective objective;
  objective.loss = "squared";
  const Problem problem = make_problem(data, objective);
  const std::vector<double> before = some_dual_point(problem);
  std::vector<double> y = before;
  balance_dual(problem, y);
  double sum = 0;
  bool kept_positive = true, kept_negative = true;
  for (std::size_t i = 0; i < y.size(); ++i) {
    sum += problem.normalized_weight[i] * y[i];
    EXPECT_GE(y[i] * before[i], 0);
    EXPECT_LE(std::abs(y[i]), std::abs(before[i]));
    (before[i] > 0 ? kept_positive : kept_negative) &= y[i] == before[i];
  }
  EXPECT_NEAR(sum, 0, 1e-15);
  EXPECT_NE(kept_positive, kept_negative) << "one sign is scaled, the other is kept";
}

}  // namespace scaled_dual_test
}  // namespace seesaw
