// What one point covers along a path: against the formulas in long double, closed forms and a scan.
#include "select/gap_curve.h"

#include <gtest/gtest.h>

#include "support/problems.h"

namespace seesaw {
namespace gap_curve_test {

const PathLine ridge{.lambda_per = 1}, net_kept{.lambda_per = 1, .l1 = 0.01}, net_mix{.lambda_per = 1, .l1_per = 0.7},
    lasso{.l1_per = 1}, l1_varies{.lambda = 0.05, .l1_per = 1};

Problem problem_of(const Dataset& data, const std::string& loss, const PathLine& line, double t) {
  Objective objective;
  objective.loss = loss;
  objective.intercept = Intercept::none;
  objective.lambda = line.lambda_at(t);
  objective.l1 = line.l1_at(t);
  return make_problem(data, objective);
}

// A feasible pair that is not optimal: x random, y = phi'(z).
Point point_of(const Problem& problem, double size, std::uint64_t seed) {
  Rng rng(seed);
  Point point{std::vector<double>(problem.d()), {0.0}, std::vector<double>(problem.n())};
  for (double& x : point.x) x = size * rng.normal();
  multiply(problem.data->rows, point.x.data(), point.y.data());
  std::visit(
      [&](const auto& loss) {
        for (std::size_t i = 0; i < point.y.size(); ++i)
          point.y[i] = loss.derivative(problem.scalar().target[i], point.y[i]);
      },
      problem.scalar().loss);
  return point;
}

// D of s y in long double, from the definitions.
long double dual_by_hand(const Problem& p, const Point& point, double s) {
  const test::Matrix a = test::matrix_of(*p.data);
  std::vector<long double> v(p.d());
  long double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const long double y = (long double)s * point.y[i];
    sum -= p.normalized_weight[i] *
           test::conjugate_by_hand<long double>(std::string(p.kind->name), p.loss_parameter, p.scalar().target[i], y);
    for (std::size_t j = 0; j < v.size(); ++j) v[j] -= p.normalized_weight[i] * y * (long double)a[i][j];
  }
  for (const long double vj : v) {
    const long double u = std::max(0.0L, std::abs(vj) - (long double)p.penalty.l1());
    if (p.penalty.l2() > 0) sum -= u * u / (2 * p.penalty.l2());
    else if (u > 0) return -std::numeric_limits<long double>::infinity();
  }
  return sum;
}

TEST(GapCurve, has_the_bounds_of_the_definitions_for_every_loss_and_penalty) {
  for (const LossKind& kind : loss_kinds()) {
    const Dataset data = test::random_data(30, 5, kind.target, 3);
    for (const PathLine& line : {ridge, net_kept, net_mix, lasso, l1_varies}) {
      const Problem base = problem_of(data, std::string(kind.name), line, 0.1);
      const Point point = point_of(base, 0.2, 5);
      const GapCurve curve(base, line, point);
      for (const double t : {1e-3, 0.02, 0.1, 3.0}) {
        const Problem there = problem_of(data, std::string(kind.name), line, t);
        const Bounds bounds = curve.at(t);
        const double s = curve.dual_scale(t);
        EXPECT_TRUE(line.l1_alone() || s == 1);
        const auto primal = (double)test::slow_primal(there, point.x, 0), dual = (double)dual_by_hand(there, point, s);
        EXPECT_NEAR(bounds.primal, primal, 1e-12 * (1 + std::abs(primal))) << kind.name << " at " << t;
        EXPECT_NEAR(bounds.dual, dual, 1e-12 * (1 + std::abs(dual))) << kind.name << " at " << t;
      }
    }
  }
}

TEST(GapCurve, the_closed_form_of_l2_has_the_roots_of_the_gap) {
  Rng rng(11);
  int found = 0;
  for (int trial = 0; trial < 2000; ++trial) {
    // x = v/lambda0 is the usual case; x apart from it as well.
    const double lambda0 = std::exp(4 * rng.normal()), v2 = std::exp(rng.normal()), off = trial % 2 ? 1 : 1.01;
    const double x2 = off * v2 / (lambda0 * lambda0), optimum = v2 / (2 * lambda0) * (1 + rng.uniform());
    const RidgeSums sums{optimum - v2 / (2 * lambda0) + 1e-3 * rng.uniform() * optimum,
                         -optimum - v2 / (2 * lambda0) + 1e-6 * optimum, x2, v2};
    const Tolerance tolerance{1e-3 * std::exp(rng.normal()), trial % 3 ? 0 : 1e-4};
    const auto excess = [&](long double lambda) {  // (P - (1 + eps) D - delta) lambda
      return (long double)x2 * lambda * lambda / 2 +
             (sums.loss + (1 + (long double)tolerance.relative) * sums.conjugate - tolerance.absolute) * lambda +
             (1 + (long double)tolerance.relative) * v2 / 2;
    };
    const auto covered = covered_ridge(sums, tolerance);
    if (!covered) {
      const long double lowest = -(sums.loss + (1 + tolerance.relative) * sums.conjugate - tolerance.absolute) / x2;
      EXPECT_GE(excess(lowest), -1e-9L * v2);
      continue;
    }
    ++found;
    const double length = covered->hi / covered->lo;
    ASSERT_GE(length, 1);
    if (length < 1 + 1e-4) continue;  // nearly a double root
    EXPECT_LT(excess(covered->lo * (1 + 1e-9L)), 0);
    EXPECT_GT(excess(covered->lo * (1 - 1e-9L)), 0);
    EXPECT_LT(excess(covered->hi * (1 - 1e-9L)), 0);
    EXPECT_GT(excess(covered->hi * (1 + 1e-9L)), 0);
  }
  EXPECT_GT(found, 500);
}

TEST(GapCurve, a_zero_point_that_is_optimal_covers_everything) {
  const auto all = covered_ridge({0.5, -0.5, 0, 0}, {1e-3, 0});
  ASSERT_TRUE(all);
  EXPECT_EQ(all->lo, 0);
  EXPECT_EQ(all->hi, infinity);
  EXPECT_FALSE(covered_ridge({0.5, -0.4, 0, 0}, {1e-3, 0}));
}

TEST(GapCurve, what_is_covered_agrees_with_a_scan) {
  for (const char* loss : {"logistic", "hinge", "squared-hinge"}) {
    const Dataset data = test::random_data(40, 4, Target::sign, 2);
    for (const PathLine& line : {ridge, net_kept, net_mix, lasso, l1_varies}) {
      const double t = 0.03;
      const Problem base = problem_of(data, loss, line, t);
      const Point point = point_of(base, 0.1, 7);
      const GapCurve curve(base, line, point);
      const Bounds here = curve.at(t);
      const Tolerance tolerance{2 * std::max(0.05, (here.primal - here.dual) / std::max(here.dual, 1e-3)), 0};
      const Interval range{1e-6, 1e4};
      const auto covered = curve.covered(t, tolerance, range);
      if (here.dual <= 0) continue;
      ASSERT_TRUE(covered);
      EXPECT_LE(covered->lo, t);
      EXPECT_GE(covered->hi, t);
      const double step = 1.0005;
      for (double at = covered->lo; at < covered->hi; at *= 1.01)
        ASSERT_TRUE(tolerance.holds(curve.at(at * (1 + 1e-12)))) << loss << " at " << at;
      // Just outside it does not hold: the ends are found to about 1 % of the logarithmic length.
      const double lower = t * std::pow(covered->lo / t, 1.01) / step,
                   upper = t * std::pow(covered->hi / t, 1.01) * step;
      if (covered->lo > range.lo) {
        EXPECT_FALSE(tolerance.holds(curve.at(lower))) << loss;
      }
      if (covered->hi < range.hi) {
        EXPECT_FALSE(tolerance.holds(curve.at(upper))) << loss;
      }
    }
  }
}

}  // namespace gap_curve_test
}  // namespace seesaw
