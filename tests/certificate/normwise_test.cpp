// Certificates by norms against the same sums in quad precision, and against the optimum.
#include <gtest/gtest.h>

#include "model/rigorous/normwise_certificate.h"
#include "support/lasso_truth.h"

namespace seesaw {
namespace normwise_test {

using test::fitted;
using test::lasso;
using test::Quad;
using test::truth_of;
using test::uneven_data;

TEST(Normwise, bounds_hold_for_any_point) {
  int proved = 0, scaled = 0;
  for (std::uint64_t seed = 0; seed < 16; ++seed)
    for (const Intercept intercept : {Intercept::none, Intercept::free}) {
      const Dataset data = uneven_data(seed, seed % 2 == 1, seed % 3 == 0 ? 100 : 0);
      const Objective objective = lasso(0.002 * (1 + static_cast<double>(seed)), intercept);
      const Problem problem = make_problem(data, objective);
      const auto certifier = NormwiseCertifier::make(problem);
      ASSERT_NE(certifier, nullptr);
      const Point best = fitted(data, objective, 1e-12);
      const Quad lowest = truth_of(problem, best).primal;

      Rng rng(seed);
      for (int round = 0; round < 4; ++round) {
        Point point = best;
        for (double& x : point.x) x *= round == 0 ? 1 : 1 + 0.1 * rng.normal();
        for (double& y : point.y) y *= round == 0 ? 1 : 1.3 + (round == 3 ? rng.uniform() : 0);
        const std::vector<double> given = point.y;
        const auto found = certifier->certify(point, infinity);
        if (!found) continue;  // D is not known to be above 0
        ++proved;
        scaled += found->dual_point == DualPoint::scaled;
        const test::LassoTruth truth = truth_of(problem, point);
        EXPECT_TRUE(found->primal >= truth.primal) << seed;
        EXPECT_TRUE(truth.largest_v <= problem.penalty.l1()) << seed;
        EXPECT_TRUE(found->dual <= lowest) << seed;
        EXPECT_TRUE(found->dual <= truth.dual) << seed;
        EXPECT_TRUE(found->gap >= found->primal - Quad(found->dual)) << seed;
        if (round == 0) {
          EXPECT_LT(found->gap, 1e-6 * (1 + found->primal)) << seed;
        }
        if (found->dual_point == DualPoint::as_given) {
          EXPECT_EQ(given, point.y);
        }
      }
    }
  EXPECT_GT(proved, 80);
  EXPECT_GT(scaled, 40);
}

// Residuals of 1e-9 of the labels: plain sums have errors of 1e-7 of P, and the tolerance cannot be proved.
TEST(Normwise, errors_of_large_labels_are_in_the_bounds) {
  int proved = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    constexpr double offset = 1e9;
    const Dataset data = uneven_data(seed, false, offset);
    const Objective objective = lasso(0.01, Intercept::free);
    const Problem problem = make_problem(data, objective);
    Point point = fitted(uneven_data(seed, false, 0), objective, 1e-9);
    point.intercept[0] += offset;
    const Point before = point;
    const auto certifier = NormwiseCertifier::make(problem);
    EXPECT_FALSE(certifier->certify(point, 1e-9));
    EXPECT_EQ(point.y, before.y);
    const auto found = certifier->certify(point, infinity);
    if (!found) continue;
    ++proved;
    const test::LassoTruth truth = truth_of(problem, point);
    EXPECT_TRUE(found->primal >= truth.primal) << seed;
    EXPECT_TRUE(found->dual <= truth.dual) << seed;
    EXPECT_TRUE(truth.largest_v <= problem.penalty.l1()) << seed;
  }
  EXPECT_GT(proved, 10);
}

TEST(Normwise, follows_a_change_of_l1) {
  const Dataset data = uneven_data(7, false, 0);
  Problem problem = make_problem(data, lasso(0.05, Intercept::none));
  const auto certifier = NormwiseCertifier::make(problem);
  problem.penalty = make_problem(data, lasso(0.02, Intercept::none)).penalty;
  Point point = fitted(data, lasso(0.02, Intercept::none), 1e-10);
  const auto found = certifier->certify(point, infinity);
  ASSERT_TRUE(found);
  EXPECT_LT(found->gap, 1e-9 * found->primal);
  EXPECT_TRUE(truth_of(problem, point).largest_v <= 0.02);
}

TEST(Normwise, other_problems_have_none) {
  const Dataset numbers = uneven_data(1, false, 0), classes = test::random_data(30, 4, Target::sign, 2);
  Objective net = lasso(0.1, Intercept::none);
  net.regularizer = "elastic-net";
  net.lambda = 0.1;
  EXPECT_EQ(NormwiseCertifier::make(make_problem(numbers, net)), nullptr);
  Objective logistic = lasso(0.1, Intercept::none);
  logistic.loss = "logistic";
  EXPECT_EQ(NormwiseCertifier::make(make_problem(classes, logistic)), nullptr);
  Objective huber = lasso(0.1, Intercept::none);
  huber.loss = "huber";
  EXPECT_EQ(NormwiseCertifier::make(make_problem(numbers, huber)), nullptr);
}

// A row whose weight is subnormal, so that c_i has few digits, with nearly all of c_i (|a_i|^2 + t_i^2).
TEST(NormwiseCertificate, weights_near_underflow_are_left_to_other_certificates) {
  for (const double weight : {1e-270, 1e-320}) {
    Dataset data = test::table({{1e150}, {1e-12}}, test::Storage::dense);
    data.labels = {2e150, 1e-12};
    data.weights = {weight, 1};
    data.source = "weights";
    const Problem problem = make_problem(data, lasso(1e299 * weight, Intercept::none));
    const auto certifier = NormwiseCertifier::make(problem);
    EXPECT_EQ(certifier != nullptr, weight > 1e-280);
    if (!certifier) continue;
    Point point{{1.0}, {0.0}, {-1e149, 0}};
    const auto found = certifier->certify(point, infinity);
    ASSERT_TRUE(found);
    const test::LassoTruth truth = truth_of(problem, point);
    EXPECT_TRUE(found->primal >= truth.primal && found->dual <= truth.dual);
  }
}

}  // namespace normwise_test
}  // namespace seesaw
