// exp and log without branches, tables or calls, so that a loop over rows becomes vector instructions; the library's
// own are calls, one number at a time. Errors are below one unit in the last place where results are used (tests
// compare with long double).
#pragma once

#include <bit>
#include <cfloat>
#include <cstdint>

namespace seesaw {

inline constexpr double ln2_high = 0x1.62e42feep-1;  // the upper 32 bits: whole multiples up to 2^11 are exact
inline constexpr double ln2_low = 0x1.a39ef35793c76p-33;

// e^x for x <= 0; below -708, where e^x is no normal number any more, e^-708.
// x = k ln 2 + r with |r| <= ln 2 / 2, and e^r by its series: r^14 / 14! < 3e-18.
[[gnu::always_inline]] inline double exp_of_negative(double x) {
  constexpr double rounds = 0x1.8p52;  // adding it leaves a whole number in the last bits
  x = x < -708 ? -708 : x;             // NaN stays
  const double shifted = x * 0x1.71547652b82fep0 + rounds;
  const double k = shifted - rounds;
  const double r = (x - k * ln2_high) - k * ln2_low, r2 = r * r, r4 = r2 * r2;
  const double low = (1.0 / 2 + r * (1.0 / 6)) + r2 * (1.0 / 24 + r * (1.0 / 120));
  const double middle = (1.0 / 720 + r * (1.0 / 5040)) + r2 * (1.0 / 40320 + r * (1.0 / 362880));
  const double high = (1.0 / 3628800 + r * (1.0 / 39916800)) + r2 * (1.0 / 479001600 + r * (1.0 / 6227020800));
  const double power = 1 + (r + r2 * (low + r4 * (middle + r4 * high)));
  return power * std::bit_cast<double>((std::bit_cast<std::uint64_t>(shifted) + 1023) << 52);
}

// log x for normal x > 0. x = 2^k (1 + f) with 1 + f between sqrt(1/2) and sqrt(2); with s = f / (2 + f) the series
// log(1 + f) = 2 s + 2/3 s^3 + 2/5 s^5 + ... is written as f - (f^2/2 - s (f^2/2 + R)): its first terms are exact.
[[gnu::always_inline]] inline double log_of_positive(double x) {
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
  return k * ln2_high - ((half_square - (s * (half_square + R) + k * ln2_low)) - f);
}

// log(1 + e) for 0 <= e <= 1, to the last place for tiny e as well: what rounding took from 1 + e is put back.
[[gnu::always_inline]] inline double log_of_one_and(double e) {
  const double u = 1 + e;
  return log_of_positive(u) + (e - (u - 1)) / u;
}

// p log p for p >= 0, with 0 log 0 = 0.
[[gnu::always_inline]] inline double entropy_of(double p) { return p * log_of_positive(p < DBL_MIN ? DBL_MIN : p); }

}  // namespace seesaw
