// exp and log in double-double, of training's rigorous certificate, against 60-digit floating point.
#include <gtest/gtest.h>

#include <boost/multiprecision/cpp_bin_float.hpp>
#include <cmath>

#include "base/rng.h"
#include "model/rigorous/functions.h"

namespace seesaw::rigorous {
namespace fine_functions_test {

using Exact = boost::multiprecision::number<boost::multiprecision::cpp_bin_float<60>>;

Exact exact(Twofold a) { return Exact(a.high) + Exact(a.low); }

void expect_within(const Bounded<Twofold>& got, const Exact& truth, double at) {
  EXPECT_LE(abs(exact(got.value) - truth), Exact(got.error) + Exact(underflow)) << at;
  EXPECT_LE(got.error, 0x1p-63 * std::abs(got.value.high) + 0x1p-1050) << at;
}
Twofold with_low_part(double high, Rng& rng) { return two_sum(high, high * 0x1p-54 * (2 * rng.uniform() - 1)); }

TEST(FineFunctions, exp_is_within_its_bound) {
  Rng rng(1);
  for (int trial = 0; trial < 4000; ++trial) {
    const Twofold x = with_low_part(-700 * rng.uniform() * (trial % 2 == 0 ? 1 : std::ldexp(1.0, -trial % 40)), rng);
    expect_within(bounded_exp(x), exp(exact(x)), x.high);
  }
}

TEST(FineFunctions, log_is_within_its_bound_relative_to_its_value) {
  Rng rng(2);
  for (int trial = 0; trial < 4000; ++trial) {
    double high = 0.6 + rng.uniform();
    if (trial % 4 == 1) high = std::ldexp(high, static_cast<int>(rng.below(2000)) - 1000);
    if (trial % 4 == 2) high = 1 + (trial % 8 < 4 ? 1 : -1) * (0x1p-9 + 0.02 * rng.uniform());
    if (trial % 4 == 3) high = (90.5 + static_cast<double>(trial % 92) + 1e-9 * rng.normal()) / 128;  // between two c
    const Twofold a = with_low_part(high, rng);
    expect_within(bounded_log(a), log(exact(a)), high);
  }
  for (const double high : {0x1p-1022, 0x1p1023, 0x1.6a09e667f3bccp-1, 0x1.6a09e667f3bcdp-1, 0x1.6a09e667f3bcdp0,
                            0x1.6a09e667f3bcep0, 1 + 0x1p-9, 1 - 0x1p-9})
    expect_within(bounded_log(Twofold(high)), log(Exact(high)), high);
  for (const double none : {double{NAN}, infinity, 0.0, -1.0, 0x1p-1040})
    EXPECT_TRUE(std::isnan(fine_log(none).high)) << none;
}

TEST(FineFunctions, log_of_one_plus_and_minus_are_within_their_bounds) {
  Rng rng(3);
  for (int trial = 0; trial < 2000; ++trial) {
    const Twofold e = with_low_part(std::ldexp(rng.uniform(), -(trial % 60)), rng);
    expect_within(bounded_log_one_plus(e), log1p(exact(e)), e.high);
    if (e.high <= 0.5) expect_within(bounded_log_one_minus(e), log1p(-exact(e)), e.high);
  }
}

TEST(FineFunctions, the_binary_entropy_is_within_its_bound) {
  Rng rng(4);
  for (int trial = 0; trial < 2000; ++trial) {
    const double p = trial % 2 == 0 ? rng.uniform() : std::ldexp(rng.uniform(), -trial % 900);
    if (p == 0) continue;
    const Bounded<Twofold> got = bounded_binary_entropy<Twofold>(p);
    EXPECT_LE(abs(exact(got.value) - (Exact(p) * log(Exact(p)) + (1 - Exact(p)) * log1p(-Exact(p)))), Exact(got.error))
        << p;
  }
}

}  // namespace fine_functions_test
}  // namespace seesaw::rigorous
