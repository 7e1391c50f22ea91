// Losses of groups with a free intercept and with weights of the groups.
#include <gtest/gtest.h>

#include <cmath>

#include "model/groups/group_certificate.h"
#include "run/fit_groups.h"
#include "support/group_cases.h"
#include "verify/verify_groups.h"

namespace seesaw {
namespace group_intercept_test {

using test::GroupCase;
using test::Quad;
using test::random_groups;
using test::slow_minimum;

TEST(GroupIntercept, the_interval_contains_the_optimum_with_a_free_intercept_and_weights) {
  for (const bool hinge : {false, true})
    for (const bool weighted : {false, true}) {
      GroupCase of = random_groups(9, 1, 4, hinge, 2);
      of.intercept = Intercept::free;
      if (weighted) of.weights = {0.25, 3, 1e-3, 2};
      std::vector<double> x(2);
      const double optimum = slow_minimum(of, x, 0);
      for (const char* method : test::group_methods) {
        const Fit fit = fit_groups(of.data(), of.groups, of.spec(method, 1e-6));
        const Certificate& c = fit.outcome.certificate;
        EXPECT_EQ(fit.outcome.termination, Termination::converged) << method << " " << hinge << " " << weighted;
        EXPECT_LE(c.gap, 1e-6);
        EXPECT_LE(c.dual, optimum + 1e-10) << method;
        EXPECT_GE(c.primal, optimum - 1e-10) << method;
        EXPECT_NEAR(fit.model.x[0], x[0], *c.distance_bound + 1e-6) << method;
        EXPECT_NEAR(static_cast<double>(of.primal(fit.model.x, fit.model.intercept[0])), c.primal, 1e-12);
        const Verification verdict = verify_groups(of.data(), of.groups, fit.model);
        EXPECT_TRUE(verdict.holds) << method << " " << (verdict.problems.empty() ? "" : verdict.problems[0]);
      }
    }
}

// A group of weight 2 is the same as two groups of weight 1, and a common factor of the weights changes nothing.
TEST(GroupIntercept, a_weight_is_a_number_of_equal_groups) {
  for (const bool hinge : {false, true}) {
    GroupCase once = random_groups(12, 3, 4, hinge, 11), twice = once;
    once.intercept = twice.intercept = Intercept::free;
    once.weights = {2, 1, 1, 1};
    for (std::size_t i = 0; i < 12; ++i)
      if (once.groups.of_row[i] == 0) {
        twice.A.push_back(once.A[i]);
        twice.b.push_back(once.b[i]);
        twice.groups.of_row.push_back(4);
      }
    twice.groups.count = 5;
    GroupCase scaled = once;
    for (double& weight : scaled.weights) weight *= 8;
    const Certificate a = fit_groups(once.data(), once.groups, once.spec("auto", 1e-7)).outcome.certificate;
    for (const GroupCase* other : {&twice, &scaled}) {
      const Certificate b = fit_groups(other->data(), other->groups, other->spec("auto", 1e-7)).outcome.certificate;
      EXPECT_LE(a.dual, b.primal);
      EXPECT_LE(b.dual, a.primal);
      EXPECT_LE(b.gap, 1e-7);
    }
    Objective objective = once.spec("auto", 0).objective;
    objective.lambda.reset();
    const Dataset data = scaled.data();
    EXPECT_EQ(make_group_problem(data, scaled.groups, objective).rows.penalty.l2(), 1.0 / 40);
  }
}

// A common shift of all targets is a shift of the free intercept.
TEST(GroupIntercept, a_free_intercept_follows_a_shift_of_the_targets) {
  GroupCase of = random_groups(60, 4, 15, false, 12);
  of.intercept = Intercept::free;
  const Fit here = fit_groups(of.data(), of.groups, of.spec("auto", 1e-8));
  for (double& b : of.b) b += 1024;
  const Fit there = fit_groups(of.data(), of.groups, of.spec("auto", 1e-8));
  EXPECT_EQ(there.outcome.termination, Termination::converged);
  EXPECT_NEAR(there.outcome.certificate.primal, here.outcome.certificate.primal, 2e-8);
  EXPECT_NEAR(there.model.intercept[0], here.model.intercept[0] + 1024, 1e-2);
  EXPECT_TRUE(verify_groups(of.data(), of.groups, there.model).holds);
}

// Random points with weights of very different sizes and a free intercept: P from above within rounding, D at most the
// bound of the balanced y with the largest intercept, and never above P of any point.
TEST(GroupIntercept, certificate_with_weights_and_a_free_intercept_in_quadruple_precision) {
  for (const bool hinge : {false, true})
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      GroupCase of = random_groups(12, 3, 4, hinge, seed);
      Rng rng(seed);
      for (std::size_t g = 0; g < 4; ++g) of.weights.push_back(std::exp(4 * rng.normal()));
      of.intercept = Intercept::free;
      of.lambda = 10;
      const Dataset data = of.data();
      const GroupProblem problem = make_group_problem(data, of.groups, of.spec("sdca", 0).objective);
      Point point{.x = {rng.normal(), rng.normal(), rng.normal()}, .intercept = {rng.normal()}, .y = {}};
      for (std::size_t i = 0; i < 12; ++i) point.y.push_back(hinge ? -of.b[i] * rng.uniform() / 4 : rng.normal());
      const Certificate c = certify_rigorously(problem, point);
      const Quad P = of.primal(point.x, point.intercept[0]);
      EXPECT_TRUE(Quad(c.primal) >= P);
      EXPECT_TRUE(Quad(c.primal) <= P * (1 + Quad(1e-14)));
      Quad total = 0, conjugate = 0, balance = 0, squares = 0;
      for (const double weight : of.weights) total += weight;
      for (std::size_t i = 0; i < 12; ++i) {
        conjugate += of.weight(of.groups.of_row[i]) * Quad(of.b[i]) * point.y[i];
        balance += of.weight(of.groups.of_row[i]) * Quad(point.y[i]);
      }
      for (std::size_t j = 0; j < 3; ++j) {
        Quad q = 0;
        for (std::size_t i = 0; i < 12; ++i) q += of.weight(of.groups.of_row[i]) * Quad(of.A[i][j]) * point.y[i];
        squares += q * q;
      }
      const Quad D = -conjugate / total - squares / (2 * Quad(of.lambda) * total * total);
      EXPECT_TRUE((balance < 0 ? -balance : balance) <= total * Quad(1e-15));
      EXPECT_TRUE(Quad(c.dual) <= (D > 0 ? D : Quad(0)));
      if (c.dual > 0) {
        EXPECT_TRUE(Quad(c.dual) >= D - Quad(1e-9) * (1 + P));  // what is left of the balance costs little
      }
      for (int point_of = 0; point_of < 50; ++point_of)
        EXPECT_TRUE(Quad(c.dual) <= of.primal({rng.normal(), rng.normal(), rng.normal()}, 4 * rng.normal()));
    }
}

TEST(GroupIntercept, forged_models_with_a_free_intercept_are_refused) {
  for (const bool hinge : {false, true}) {
    GroupCase of = random_groups(40, 5, 8, hinge, 6);
    of.intercept = Intercept::free;
    of.weights = {1, 2, 3, 4, 5, 6, 7, 8};
    const Dataset data = of.data();
    const LinearModel honest = fit_groups(data, of.groups, of.spec("sdca", 1e-6)).model;
    ASSERT_TRUE(verify_groups(data, of.groups, honest).holds);
    ASSERT_FALSE(honest.optimum.has_value());
    const auto refused = [&](const auto& change) {
      LinearModel model = honest;
      change(model);
      return !verify_groups(data, of.groups, model).holds;
    };
    EXPECT_TRUE(refused([](LinearModel& model) { model.certificate->gap *= 0.5; }));
    EXPECT_TRUE(refused([](LinearModel& model) { model.certificate->dual = model.certificate->primal; }));
    EXPECT_TRUE(refused([](LinearModel& model) { model.intercept[0] += 0.01; }));
    EXPECT_TRUE(refused([](LinearModel& model) { model.objective.intercept = Intercept::none; }));
    EXPECT_TRUE(refused([](LinearModel& model) { model.optimum = OptimumBounds{{}, {1}, {{-1, 1}}}; }));
    // y outside of sum 0, but in its domain: D without the charge would be larger.
    EXPECT_TRUE(refused([](LinearModel& model) {
      for (double& y : model.y) y = y > 0 ? 0.9 * y : y;
    }));
  }
}

// The optimum is 0, which no relative gap proves: the first point is kept, and its bound is below every rounding error.
TEST(GroupIntercept, equal_targets_are_the_free_intercept) {
  GroupCase of = random_groups(12, 3, 4, false, 13);
  of.b.assign(12, 3);
  of.intercept = Intercept::free;
  FitSpec spec = of.spec("auto", 0);
  spec.criteria.gap = 1e-4;
  const Fit fit = fit_groups(of.data(), of.groups, spec);
  EXPECT_EQ(fit.outcome.termination, Termination::stalled);
  EXPECT_LE(fit.outcome.certificate.gap, 1e-28);
  EXPECT_EQ(fit.model.intercept[0], 3);
  EXPECT_TRUE(verify_groups(of.data(), of.groups, fit.model).holds);
}

// A dual point in its domain whose sum is not 0 has a D above the optimum with a free intercept: nearly the P of x = 0 and
// b = 0, where lambda is large. The verifier subtracts what the sum costs, and the certificate makes it 0.
TEST(GroupIntercept, dual_points_with_another_sum_than_zero_prove_nothing) {
  for (const bool hinge : {false, true}) {
    GroupCase of = random_groups(40, 5, 8, hinge, 6);
    of.intercept = Intercept::free;
    of.lambda = 1e4;
    for (std::size_t i = 0; i < 40; ++i) of.b[i] = hinge ? (of.groups.of_row[i] > 0 ? 1 : -1) : 10 + of.b[i];
    const Dataset data = of.data();
    LinearModel model = fit_groups(data, of.groups, of.spec("sdca", 1e-6)).model;
    ASSERT_TRUE(verify_groups(data, of.groups, model).holds);
    const double optimum = model.certificate->primal;
    std::vector<double> size(8);
    for (std::size_t i = 0; i < 40; ++i) size[of.groups.of_row[i]] += hinge ? 1 : of.b[i] * of.b[i];
    Quad D = 0;
    for (std::size_t i = 0; i < 40; ++i) {
      const double of_group = size[of.groups.of_row[i]];
      model.y[i] = (1 - 1e-12) * (hinge ? -of.b[i] / of_group : -of.b[i] / std::sqrt(of_group));
      D -= Quad(of.b[i]) * model.y[i] / 8;
    }
    ASSERT_TRUE(D > Quad(2 * optimum));  // without the penalty's part, which is small
    Point point{.x = model.x, .intercept = model.intercept, .y = model.y};
    const GroupProblem problem = make_group_problem(data, of.groups, of.spec("sdca", 0).objective);
    EXPECT_LE(certify_rigorously(problem, point).dual, optimum);
    model.certificate->dual = optimum;
    model.certificate->gap = 0;
    model.certificate->distance_bound.reset();
    const Verification verdict = verify_groups(data, of.groups, model);
    EXPECT_FALSE(verdict.holds);
    EXPECT_LE(verdict.dual, optimum);
  }
}

}  // namespace group_intercept_test
}  // namespace seesaw
