#include "model/intercept.h"

#include <gtest/gtest.h>

#include "model/mean_loss.h"
#include "support/problems.h"

namespace seesaw {
namespace intercept_test {

Problem with_free_intercept(const Dataset& data, const LossKind& kind) {
  Objective objective;
  objective.loss = kind.name;
  objective.lambda = 0.1;
  objective.intercept = Intercept::free;
  return make_problem(data, objective);
}

double loss_at(const Problem& problem, std::vector<double> z, double b) {
  for (double& zi : z) zi += b;
  return mean_loss(problem, z);
}

// Ternary search: the loss is convex.
double slow_minimum(const Problem& problem, const std::vector<double>& z) {
  double lo = -60, hi = 60;
  for (int round = 0; round < 200; ++round) {
    const double a = lo + (hi - lo) / 3, b = hi - (hi - lo) / 3;
    if (loss_at(problem, z, a) < loss_at(problem, z, b)) hi = b;
    else lo = a;
  }
  return loss_at(problem, z, lo);
}

TEST(BestIntercept, is_the_minimum_to_the_requested_accuracy) {
  for (const LossKind& kind : loss_kinds()) {
    Dataset data = test::random_data(101, 4, kind.target, 3);
    for (std::size_t i = 0; i < data.n(); ++i) data.weights.push_back(0.25 + double(i % 5));
    const Problem problem = with_free_intercept(data, kind);
    Rng rng(4);
    std::vector<double> z(data.n());
    for (double& zi : z) zi = 3 * rng.normal();
    const double least = slow_minimum(problem, z);
    for (const double from : {-3.0, 0.0, 20.0})
      for (const double accuracy : {0.0, 1e-9, 1e-4}) {
        const double b = best_intercept(problem, z, from, accuracy);
        EXPECT_LE(loss_at(problem, z, b) - least, accuracy + 1e-12) << kind.name << " from " << from;
      }
  }
}

TEST(InterceptsAlone, are_optimal_for_scores_of_zero) {
  for (const LossKind& kind : loss_kinds()) {
    Dataset data = test::random_data(97, 4, kind.target, 3);
    for (std::size_t i = 0; i < data.n(); ++i) data.weights.push_back(0.25 + double(i % 5));
    const Problem problem = with_free_intercept(data, kind);
    const std::vector<double> zero(data.n());
    const double b = intercepts_alone(problem)[0];
    EXPECT_LE(loss_at(problem, zero, b) - slow_minimum(problem, zero), 1e-12) << kind.name;
  }
}

}  // namespace intercept_test
}  // namespace seesaw
