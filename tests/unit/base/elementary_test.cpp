// exp and log as straight-line code, against long double; compensated sums in lanes, against long double as well.
#include "base/elementary.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "base/compensated_sum.h"
#include "base/rng.h"

namespace seesaw {
namespace {

double ulps(double value, long double truth) {
  const double near = static_cast<double>(truth);
  const double unit = std::nextafter(std::abs(near), std::numeric_limits<double>::infinity()) - std::abs(near);
  return static_cast<double>(std::abs(static_cast<long double>(value) - truth) / unit);
}

TEST(Elementary, exp_and_log_are_right_to_the_last_place) {
  Rng rng(5);
  for (int k = 0; k < 200000; ++k) {
    const double x = -700 * std::pow(rng.uniform(), 1 + k % 7), e = std::exp(-40 * rng.uniform());
    ASSERT_LT(ulps(exp_of_negative(x), std::exp((long double)x)), 1.5) << x;
    const double u = std::ldexp(1 + rng.uniform(), static_cast<int>(-1000 * rng.uniform()) * (k % 2) + k % 3 - 1);
    ASSERT_LT(ulps(log_of_positive(u), std::log((long double)u)), 1.5) << u;
    ASSERT_LT(ulps(log_of_one_and(e), std::log1p((long double)e)), 2) << e;
  }
}

TEST(Elementary, edges) {
  EXPECT_EQ(exp_of_negative(0), 1);
  EXPECT_EQ(exp_of_negative(-0.0), 1);
  EXPECT_EQ(exp_of_negative(-1e300), exp_of_negative(-708));
  EXPECT_EQ(exp_of_negative(-std::numeric_limits<double>::infinity()), exp_of_negative(-708));
  EXPECT_LT(exp_of_negative(-708), 1e-307);
  EXPECT_TRUE(std::isnan(exp_of_negative(NAN)));
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

TEST(SumInLanes, adds_every_row_once_and_keeps_what_a_plain_sum_loses) {
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

}  // namespace
}  // namespace seesaw
