// exp, log and compensated sums in lanes against long double.
#include "base/elementary.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "base/compensated_sum.h"
#include "base/rng.h"

namespace seesaw {
namespace elementary_test {

double ulps(double value, long double truth) {
  const double near = static_cast<double>(truth);
  const double unit = std::nextafter(std::abs(near), std::numeric_limits<double>::infinity()) - std::abs(near);
  return static_cast<double>(std::abs(static_cast<long double>(value) - truth) / unit);
}

TEST(Elementary, exp_and_log_have_errors_below_one_ulp) {
  Rng rng(5);
  for (int k = 0; k < 300000; ++k) {
    const double x = 700 * std::pow(rng.uniform(), 1 + k % 7), e = std::exp(-40 * rng.uniform());
    ASSERT_LT(ulps(exp_of_negative(-x), std::exp(-(long double)x)), 1) << x;
    ASSERT_LT(ulps(exp_of(x), std::exp((long double)x)), 1) << x;
    ASSERT_EQ(exp_of(-x), exp_of_negative(-x));
    const double u = std::ldexp(1 + rng.uniform(), static_cast<int>(-1000 * rng.uniform()) * (k % 2) + k % 3 - 1);
    ASSERT_LT(ulps(log_of_positive(u), std::log((long double)u)), 1) << u;
    ASSERT_LT(ulps(log_of(1 / u), std::log((long double)(1 / u))), 1) << u;
    ASSERT_LT(ulps(log_of_one_and(e), std::log1p((long double)e)), 1) << e;
    const double f = k % 2 == 0 ? -e * 0.999999 : std::ldexp(e, k % 70);
    ASSERT_LT(ulps(log1p_of(f), std::log1p((long double)f)), 1) << f;
    if (k >= 20000) continue;
    const double deep = -708 - 37 * rng.uniform(), subnormal = std::ldexp(rng.uniform(), -1022 - k % 40);
    ASSERT_LT(ulps(exp_of(deep), std::exp((long double)deep)), 1) << deep;
    ASSERT_LT(ulps(log_of(subnormal), std::log((long double)subnormal)), 1) << subnormal;
  }
}

TEST(Elementary, others_have_the_errors_that_the_header_states) {
  Rng rng(7);
  for (int k = 0; k < 200000; ++k) {
    const double x = (2 * rng.uniform() - 1) * (k % 2 == 0 ? 1 : 30);
    ASSERT_LT(ulps(expm1_of(x), std::expm1((long double)x)), 4) << x;
    const double u = std::ldexp(1 + rng.uniform(), k % 100 - 50), y = 6 * rng.uniform() - 3;
    ASSERT_LT(ulps(log10_of(u), std::log10((long double)u)), 3) << u;
    ASSERT_LT(ulps(power_of(u, y), std::pow((long double)u, (long double)y)), 2 + 3 * std::abs(y * std::log(u)))
        << u << ' ' << y;
    const double turn = 4 * rng.uniform() - 2, quarter = std::round(4 * turn);  // the remainder is exact
    const long double t = 2 * std::numbers::pi_v<long double> * ((long double)turn - quarter / 4);
    const int which = (static_cast<int>(quarter) % 4 + 4) % 4;
    const long double truth = which == 0   ? std::cos(t)
                              : which == 1 ? -std::sin(t)
                              : which == 2 ? -std::cos(t)
                                           : std::sin(t);
    ASSERT_LT(ulps(cos_of_turn(turn), truth), 4) << turn;
  }
}

TEST(Elementary, edges) {
  EXPECT_EQ(exp_of_negative(0), 1);
  EXPECT_EQ(exp_of_negative(-0.0), 1);
  EXPECT_EQ(exp_of_negative(-1e300), exp_of_negative(-708));
  EXPECT_EQ(exp_of_negative(-std::numeric_limits<double>::infinity()), exp_of_negative(-708));
  EXPECT_LT(exp_of_negative(-708), 1e-307);
  EXPECT_TRUE(std::isnan(exp_of_negative(NAN)));
  const double inf = std::numeric_limits<double>::infinity();
  EXPECT_EQ(exp_of(0), 1);
  EXPECT_EQ(exp_of(710), inf);
  EXPECT_EQ(exp_of(inf), inf);
  EXPECT_EQ(exp_of(-746), 0);
  EXPECT_EQ(exp_of(-inf), 0);
  EXPECT_TRUE(std::isfinite(exp_of(709.78)));
  EXPECT_TRUE(std::isnan(exp_of(NAN)));
  EXPECT_EQ(log_of(0), -inf);
  EXPECT_EQ(log_of(inf), inf);
  EXPECT_TRUE(std::isnan(log_of(-1)));
  EXPECT_TRUE(std::isnan(log_of(NAN)));
  EXPECT_EQ(log1p_of(-1), -inf);
  EXPECT_EQ(log1p_of(inf), inf);
  EXPECT_EQ(log1p_of(-1e-300), -1e-300);
  EXPECT_EQ(log1p_of(0x1p53), log_of(0x1p53));
  EXPECT_EQ(expm1_of(0), 0);
  EXPECT_EQ(expm1_of(-inf), -1);
  EXPECT_EQ(power_of(0, 0.3), 0);
  EXPECT_EQ(power_of(0, 0), 1);
  EXPECT_EQ(power_of(7, 1), 7);
  EXPECT_EQ(cos_of_turn(0), 1);
  EXPECT_EQ(cos_of_turn(0.25), 0);
  EXPECT_EQ(cos_of_turn(0.5), -1);
  EXPECT_EQ(log_of_positive(1), 0);
  EXPECT_EQ(log_of_positive(2), std::log(2.0));
  EXPECT_EQ(log_of_positive(0.5), -std::log(2.0));
  EXPECT_EQ(log_of_one_and(0), 0);
  EXPECT_EQ(log_of_one_and(1e-300), 1e-300);
  EXPECT_EQ(log_of_one_and(1), std::log(2.0));
  EXPECT_EQ(entropy_of(0), 0);
  EXPECT_EQ(entropy_of(1), 0);
  EXPECT_LT(std::abs(entropy_of(1e-320)), 1e-300);
  EXPECT_TRUE(std::isnan(entropy_of(NAN)));
}

TEST(SumInLanes, adds_every_row_once_and_is_accurate_where_a_plain_sum_is_not) {
  Rng rng(6);
  for (const std::size_t n : {0u, 1u, 7u, 8u, 9u, 16u, 1001u}) {
    std::vector<double> terms(n);
    long double truth = 0, squares = 0;
    for (double& term : terms) term = rng.normal() * std::pow(10, 12 * rng.uniform());
    for (std::size_t i = n / 3; i < n; ++i) truth += terms[i], squares += (long double)terms[i] * terms[i];
    std::vector<int> visits(n);
    const auto sums = sum_in_lanes<2>(n / 3, n, [&](std::size_t i) {
      ++visits[i];
      return std::array{terms[i], terms[i] * terms[i]};
    });
    EXPECT_NEAR(sums[0].value(), (double)truth, 1e-15 * std::abs((double)truth) + 1e-9) << n;
    EXPECT_NEAR(sums[1].value(), (double)squares, 1e-15 * (double)squares) << n;
    for (std::size_t i = 0; i < n; ++i) EXPECT_EQ(visits[i], i < n / 3 ? 0 : 1);
  }
  const std::array sizes{1e16, 1.0, -1e16};  // in every lane: a plain sum loses the 1
  EXPECT_EQ(sum_in_lanes<1>(0, 24, [&](std::size_t i) { return std::array{sizes[i / 8]}; })[0].value(), 8);
}

}  // namespace elementary_test
}  // namespace seesaw
