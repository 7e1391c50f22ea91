// The bound on the change of the losses along a step, against the change itself.
#include "solvers/parts/l1/losses_at_scores.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/problems.h"

namespace seesaw {
namespace losses_at_scores_test {

TEST(LargestRemainder, bounds_the_change_of_logistic_losses) {
  const std::size_t n = 500;
  const Dataset data = test::random_data(n, 3, Target::sign, 4);
  Objective objective;
  objective.loss = "logistic";
  objective.l1 = 0.1;
  const Problem problem = make_problem(data, objective);
  const Logistic loss = std::get<Logistic>(problem.scalar().loss);
  for (const double size : {1e-8, 1e-4, 2e-3, 0.1, 1.0, 2.9}) {
    std::vector<double> z(n), move(n), derivative, curvature;
    for (std::size_t i = 0; i < n; ++i) {
      z[i] = 4 * std::sin(double(i));
      move[i] = size * std::cos(double(3 * i));
    }
    weighted_derivatives(problem, loss, z, derivative, curvature);
    long double change = 0, first = 0, square = 0;
    for (std::size_t i = 0; i < n; ++i) {
      const long double c = problem.normalized_weight[i], b = problem.scalar().target[i];
      change += c * (std::log1p(std::exp(-b * ((long double)z[i] + move[i]))) - std::log1p(std::exp(-b * z[i])));
      first += (long double)derivative[i] * move[i];
      square += (long double)curvature[i] * move[i] * move[i];
    }
    const double bound = largest_remainder(problem, loss, curvature, move);
    EXPECT_GE(bound, static_cast<double>(change - first) - 1e-19) << size;  // rounding of the long doubles
    EXPECT_LE(bound, static_cast<double>(square) * (0.51 + size)) << size;  // half of the square for short steps
  }
  EXPECT_EQ(largest_remainder(problem, loss, std::vector<double>(n, 1.0), std::vector<double>(n, 4.0)), infinity);
}

}  // namespace losses_at_scores_test
}  // namespace seesaw
