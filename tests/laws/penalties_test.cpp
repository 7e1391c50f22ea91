#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "model/penalty/penalty.h"

namespace seesaw {
namespace {

rc::Gen<double> in_range(double lo, double hi) {
  return rc::gen::map(rc::gen::inRange(0, 1 << 20), [=](int k) { return lo + (hi - lo) * k / double(1 << 20); });
}

Penalty::Shape any_shape() {
  const double lambda = *in_range(0.01, 3), l1 = *in_range(0.01, 2);
  return *rc::gen::element<Penalty::Shape>(L2{lambda}, ElasticNet{lambda, l1}, L1{l1}, None{});
}

RC_GTEST_PROP(Penalties, prox_minimizes, ()) {
  const Penalty::Shape any = any_shape();
  const double u = *in_range(-4, 4), tau = *in_range(0.01, 5);
  std::visit(
      [&](const auto& g) {
        const auto objective = [&](double x) { return g.value(x) + (x - u) * (x - u) / (2 * tau); };
        const double best = g.prox(u, tau);
        for (double move : {-1.0, -0.1, -1e-3, 1e-3, 0.1, 1.0})
          RC_ASSERT(objective(best + move) >= objective(best) - 1e-13);
        RC_ASSERT(objective(0) >= objective(best) - 1e-13);
      },
      any);
}

RC_GTEST_PROP(Penalties, fenchel_gap_is_value_plus_conjugate_minus_product, ()) {
  const Penalty::Shape any = any_shape();
  const double x = *in_range(-4, 4), v = *in_range(-4, 4);
  std::visit(
      [&](const auto& g) {
        const double direct = g.value(x) + g.conjugate(v) - x * v, split = g.fenchel_gap(x, v);
        RC_ASSERT(std::isinf(direct) == std::isinf(split));
        RC_ASSERT(std::isinf(g.conjugate(v)) == (std::abs(v) > g.dual_bound()));
        if (std::isinf(direct)) return;
        RC_ASSERT(std::abs(direct - split) <= 1e-11 * (1 + g.value(x) + g.conjugate(v)));
        RC_ASSERT(split >= -1e-13);
      },
      any);
}

RC_GTEST_PROP(Penalties, from_dual_closes_the_fenchel_gap, ()) {
  const double lambda = *in_range(0.01, 3), l1 = *in_range(0.01, 2), v = *in_range(-4, 4);
  const L2 l2{lambda};
  RC_ASSERT(l2.fenchel_gap(l2.from_dual(v), v) <= 1e-13 * (1 + v * v / lambda));
  const ElasticNet net{lambda, l1};
  RC_ASSERT(std::abs(net.fenchel_gap(net.from_dual(v), v)) <= 1e-13 * (1 + v * v / lambda));
}

TEST(Penalties, are_chosen_by_their_coefficients) {
  EXPECT_EQ(Penalty(1, 0).name(), "l2");
  EXPECT_EQ(Penalty(1, 2).name(), "elastic-net");
  EXPECT_EQ(Penalty(0, 2).name(), "l1");
  EXPECT_EQ(Penalty(0, 0).name(), "none");
  EXPECT_EQ(Penalty(0.5, 2).strong_convexity(), 0.5);
  EXPECT_EQ(Penalty(0, 2).strong_convexity(), 0);
}

}  // namespace
}  // namespace seesaw
