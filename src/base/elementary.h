// exp, log and related functions. The C library selects variants by processor that differ in the last bit, so code that
// affects results does not call it. These functions use only +, -, *, / and sqrt, which IEEE 754 rounds correctly on
// every machine. Errors in units in the last place (ulp), tested against long double:
//
//     exp_of_negative, exp_of, log_of_positive, log_of, log_of_one_and, log1p_of     below 1 ulp
//     cos_of_turn                                                                    below 4 ulp
//     log10_of                                                                       below 3 ulp
//     expm1_of                                                                       below 4 ulp
//     power_of                                                                       below 2 + 3 |y log x| ulp
//
// In the subnormal range the error of exp_of is below 1 ulp = 2^-1074 as well. The first group, except exp_of and
// log_of, has no branches, tables or calls, so that loops over rows are vectorized.
#pragma once

#include <bit>
#include <cfloat>
#include <cmath>
#include <cstdint>
#include <limits>

namespace seesaw {

inline constexpr double ln2_high = 0x1.62e42feep-1;  // the upper 32 bits: integer multiples up to 2^11 are exact
inline constexpr double ln2_low = 0x1.a39ef35793c76p-33;

// (e^r - 1 - r)/r^2 for |r| <= 0.35, by the series of e^r: r^14/14! < 5e-18.
[[gnu::always_inline]] inline double exp_remainder(double r) {
  const double r2 = r * r, r4 = r2 * r2;
  const double low = (1.0 / 2 + r * (1.0 / 6)) + r2 * (1.0 / 24 + r * (1.0 / 120));
  const double middle = (1.0 / 720 + r * (1.0 / 5040)) + r2 * (1.0 / 40320 + r * (1.0 / 362880));
  const double high = (1.0 / 3628800 + r * (1.0 / 39916800)) + r2 * (1.0 / 479001600 + r * (1.0 / 6227020800));
  return low + r4 * (middle + r4 * high);
}

// x = k ln 2 + r with |r| <= ln 2/2 and e^r = 1 + (upper + (r^2 R - lower)): r = upper - lower, and upper is exact.
struct ExpParts {
  double power;    // e^r
  double shifted;  // k in its last bits
};
[[gnu::always_inline]] inline ExpParts exp_parts(double x) {
  constexpr double rounds = 0x1.8p52;  // adding it leaves the nearest integer in the last bits
  const double shifted = x * 0x1.71547652b82fep0 + rounds;
  const double k = shifted - rounds;
  const double upper = x - k * ln2_high, lower = k * ln2_low, r = upper - lower;
  return {1 + (upper + (r * r * exp_remainder(r) - lower)), shifted};
}

// e^x for -708 <= x <= 0; e^-708 for x < -708, where e^x would be subnormal.
[[gnu::always_inline]] inline double exp_of_negative(double x) {
  x = x < -708 ? -708 : x;  // NaN is kept
  const ExpParts parts = exp_parts(x);
  return parts.power * std::bit_cast<double>((std::bit_cast<std::uint64_t>(parts.shifted) + 1023) << 52);
}

// e^x for any x.
inline double exp_of(double x) {
  if (x > 709.79) return std::numeric_limits<double>::infinity();
  if (x < -745.2) return 0;
  const ExpParts parts = exp_parts(x);
  const auto k = static_cast<std::int64_t>(std::bit_cast<std::uint64_t>(parts.shifted) << 12) >> 12;
  const std::int64_t half = k >> 1;  // two factors: 2^k alone may be subnormal
  const auto power_of_two = [](std::int64_t e) {
    return std::bit_cast<double>(static_cast<std::uint64_t>(e + 1023) << 52);
  };
  return parts.power * power_of_two(half) * power_of_two(k - half);
}

// log(x) + c for normal x > 0 and |c| << x. x = 2^k (1 + f) with 1 + f between sqrt(1/2) and sqrt(2); with
// s = f/(2 + f) the series log(1 + f) = 2 s + 2/3 s^3 + 2/5 s^5 + ... is written as f - (f^2/2 - s (f^2/2 + R)): its
// first terms are exact.
[[gnu::always_inline]] inline double log_and_rest(double x, double c) {
  constexpr std::uint64_t root_half = 0x3fe6a09e667f3bcd, one = 0x3ff0000000000000, fraction = 0x000fffffffffffff;
  const std::uint64_t bits = std::bit_cast<std::uint64_t>(x) + (one - root_half);
  const double k = std::bit_cast<double>(bits >> 52 | 0x4330000000000000) - (0x1p52 + 1023);
  const double f = std::bit_cast<double>((bits & fraction) + root_half) - 1;
  const double s = f / (2 + f), z = s * s, z2 = z * z, z4 = z2 * z2;
  const double low = (2.0 / 3 + z * (2.0 / 5)) + z2 * (2.0 / 7 + z * (2.0 / 9));
  const double middle = (2.0 / 11 + z * (2.0 / 13)) + z2 * (2.0 / 15 + z * (2.0 / 17));
  const double high = 2.0 / 19 + z * (2.0 / 21);
  const double R = z * (low + z4 * (middle + z4 * high));
  const double half_square = 0.5 * f * f;
  return k * ln2_high - ((half_square - (s * (half_square + R) + (k * ln2_low + c))) - f);
}

// log x for normal x > 0.
[[gnu::always_inline]] inline double log_of_positive(double x) { return log_and_rest(x, 0); }

// log x for any x.
inline double log_of(double x) {
  if (x >= DBL_MIN && x <= DBL_MAX) return log_of_positive(x);
  if (x == 0) return -std::numeric_limits<double>::infinity();
  if (!(x > 0)) return std::numeric_limits<double>::quiet_NaN();
  if (x > DBL_MAX) return x;
  return log_and_rest(x * 0x1p54, 0) - 54 * (ln2_high + ln2_low);
}

// log(1 + e) for 0 <= e <= 1, below 1 ulp for tiny e as well: the rounding error of 1 + e is corrected to first order.
[[gnu::always_inline]] inline double log_of_one_and(double e) {
  const double u = 1 + e;
  return log_and_rest(u, (e - (u - 1)) / u);
}

// log(1 + x) for any x > -1. The rounding error of 1 + x is corrected to first order; beyond 2^53 it is the 1 itself.
inline double log1p_of(double x) {
  if (!(x > -1)) return x == -1 ? -std::numeric_limits<double>::infinity() : std::numeric_limits<double>::quiet_NaN();
  if (x > 0x1p60) return log_of(x);
  const double u = 1 + x;
  return log_and_rest(u, (u > 1 && x > 1 ? 1 - (u - x) : x - (u - 1)) / u);
}

// e^x - 1
inline double expm1_of(double x) {
  if (std::abs(x) > 0.34) return exp_of(x) - 1;
  return x + x * x * exp_remainder(x);
}

inline double log10_of(double x) { return log_of(x) * 0x1.bcb7b1526e50ep-2; }

// x^y for x >= 0.
inline double power_of(double x, double y) {
  if (y == 0 || x == 1) return 1;
  if (y == 1) return x;
  if (y == 2) return x * x;
  if (y == 0.5) return std::sqrt(x);
  return exp_of(y * log_of(x));
}

// cos(2 pi u) for |u| < 2^50: u minus the nearest multiple of 1/4 is exact and at most 1/8 in magnitude.
inline double cos_of_turn(double u) {
  const double quarter = std::floor(4 * u + 0.5), t = 0x1.921fb54442d18p2 * (u - quarter / 4), t2 = t * t;
  const auto sine = [&] {
    return t + t * t2 *
                   (-1.0 / 6 +
                    t2 * (1.0 / 120 +
                          t2 * (-1.0 / 5040 +
                                t2 * (1.0 / 362880 +
                                      t2 * (-1.0 / 39916800 + t2 * (1.0 / 6227020800 - t2 * (1.0 / 1307674368000)))))));
  };
  const auto cosine = [&] {
    return 1 - (0.5 * t2 -
                t2 * t2 *
                    (1.0 / 24 -
                     t2 * (1.0 / 720 -
                           t2 * (1.0 / 40320 -
                                 t2 * (1.0 / 3628800 - t2 * (1.0 / 479001600 - t2 * (1.0 / 87178291200 -
                                                                                     t2 * (1.0 / 20922789888000))))))));
  };
  switch (static_cast<std::int64_t>(quarter) & 3) {
    case 0:
      return cosine();
    case 1:
      return -sine();
    case 2:
      return -cosine();
    default:
      return sine();
  }
}

// p log p for p >= 0, with 0 log 0 = 0.
[[gnu::always_inline]] inline double entropy_of(double p) { return p * log_of_positive(p < DBL_MIN ? DBL_MIN : p); }

}  // namespace seesaw
