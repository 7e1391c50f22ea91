#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "model/penalty/penalty.h"
#include "support/penalty_laws.h"

namespace seesaw {
namespace penalties_test {

using test::in_range;

Penalty::Shape any_shape() {
  const double lambda = *in_range(0.01, 3), l1 = *in_range(0.01, 2);
  return *rc::gen::element<Penalty::Shape>(L2{lambda}, ElasticNet{lambda, l1}, L1{l1}, None{});
}

RC_GTEST_PROP(Penalties, prox_minimizes, ()) {
  const double u = *in_range(-4, 4), tau = *in_range(0.01, 5);
  std::visit([&](const auto& g) { test::require_prox_minimizes(g, u, tau); }, any_shape());
}

RC_GTEST_PROP(Penalties, fenchel_gap_is_value_plus_conjugate_minus_product, ()) {
  const double x = *in_range(-4, 4), v = *in_range(-4, 4);
  std::visit([&](const auto& g) { test::require_fenchel_gap(g, x, v); }, any_shape());
}

RC_GTEST_PROP(Penalties, from_dual_closes_the_fenchel_gap, ()) {
  const double lambda = *in_range(0.01, 3), l1 = *in_range(0.01, 2), v = *in_range(-4, 4);
  const L2 l2{lambda};
  RC_ASSERT(l2.fenchel_gap(l2.from_dual(v), v) <= 1e-13 * (1 + v * v / lambda));
  const ElasticNet net{lambda, l1};
  RC_ASSERT(std::abs(net.fenchel_gap(net.from_dual(v), v)) <= 1e-13 * (1 + v * v / lambda));
}

Coordinate any_coordinate() {
  const double l2 = *rc::gen::element(0.0, 0.3, 2.0), l1 = *rc::gen::element(0.0, 0.5);
  return {l2, l1, *rc::gen::element(-infinity, -1.5, -0.25, 0.0), *rc::gen::element(infinity, 1.0, 0.125, 0.0)};
}

RC_GTEST_PROP(Coordinates, prox_minimizes_within_the_bounds, ()) {
  const Coordinate g = any_coordinate();
  const double u = *in_range(-4, 4), tau = *in_range(0.01, 5), best = g.prox(u, tau);
  RC_ASSERT(g.lo <= best && best <= g.hi);
  test::require_prox_minimizes(g, u, tau);
}

RC_GTEST_PROP(Coordinates, conjugate_is_the_supremum, ()) {
  const Coordinate g = any_coordinate();
  const double v = *in_range(-4, 4);
  if (!g.dual_domain().contains(v)) {
    RC_ASSERT(std::isinf(g.conjugate(v)));
    const double far = v > 0 ? 1e6 : -1e6;
    RC_ASSERT(v * far - g.value(far) > 1e-3);  // grows without bound
    return;
  }
  const double u = g.from_dual(v);
  RC_ASSERT(std::abs(g.conjugate(v) - (v * u - g.value(u))) <= 1e-12 * (1 + v * v));
  for (int k = -400; k <= 400; ++k) {
    const double x = g.clip(0.05 * k);
    RC_ASSERT(v * x - g.value(x) <= g.conjugate(v) + 1e-12);
  }
}

RC_GTEST_PROP(Coordinates, fenchel_gap_is_value_plus_conjugate_minus_product, ()) {
  test::require_fenchel_gap(any_coordinate(), *in_range(-2, 2), *in_range(-4, 4));
}

RC_GTEST_PROP(Coordinates, without_bounds_agree_with_the_shapes, ()) {
  const double l2 = *in_range(0.01, 3), l1 = *in_range(0.01, 2), v = *in_range(-4, 4), x = *in_range(-4, 4);
  const Coordinate g{l2, l1};
  const ElasticNet net{l2, l1};
  RC_ASSERT(std::abs(g.value(x) - net.value(x)) <= 1e-14 * (1 + net.value(x)));
  RC_ASSERT(std::abs(g.conjugate(v) - net.conjugate(v)) <= 1e-13 * (1 + net.conjugate(v)));
  RC_ASSERT(std::abs(g.prox(x, 0.7) - net.prox(x, 0.7)) <= 1e-15);
}

TEST(Penalties, are_chosen_by_their_coefficients) {
  EXPECT_EQ(Penalty(1, 0).name(), "l2");
  EXPECT_EQ(Penalty(1, 2).name(), "elastic-net");
  EXPECT_EQ(Penalty(0, 2).name(), "l1");
  EXPECT_EQ(Penalty(0, 0).name(), "none");
  EXPECT_EQ(Penalty(0.5, 2).strong_convexity(), 0.5);
  EXPECT_EQ(Penalty(0, 2).strong_convexity(), 0);
  const Penalty factors(0.5, 2, {.l2_factor = {1, 0.25}, .l1_factor = {1, 0.25}});
  EXPECT_FALSE(factors.uniform());
  EXPECT_NEAR(factors.strong_convexity(), 0.125, 1e-16);
  EXPECT_LE(factors.strong_convexity(), 0.125);
  EXPECT_EQ(factors.l1(1), 0.5);
}

}  // namespace penalties_test
}  // namespace seesaw
