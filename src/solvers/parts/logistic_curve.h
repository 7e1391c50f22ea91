// The logistic loss, its slope and its curvature for long loops: no branch, no call, so that the compiler makes vector
// instructions of it. A few units in the last place from the exact numbers; certificates use the standard library.
//
//     e = exp(-|m|)     phi = max(-m, 0) + log(1 + e)     p = -b phi' = (m >= 0 ? e : 1)/(1 + e)     phi'' = e/(1 +
//     e)^2
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <numbers>

namespace seesaw {

// exp(x) for x <= 0; exp(-708) = 3e-308 below that. x = k log 2 + r, |r| <= log(2)/2, and the Taylor series of exp(r).
[[gnu::always_inline]] inline double exp_not_above_zero(double x) {
  constexpr double to_integer = 0x1.8p52;  // adding it leaves the nearest integer in the last bits
  constexpr double log2_high = 0x1.62e42fee00000p-1, log2_low = 0x1.a39ef35793c76p-33;
  const double clipped = std::max(x, -708.0);
  const double shifted = clipped * std::numbers::log2e + to_integer;
  const double k = shifted - to_integer;
  const double r = (clipped - k * log2_high) - k * log2_low;
  double series = 1.0 / 6227020800;
  series = series * r + 1.0 / 479001600;
  series = series * r + 1.0 / 39916800;
  series = series * r + 1.0 / 3628800;
  series = series * r + 1.0 / 362880;
  series = series * r + 1.0 / 40320;
  series = series * r + 1.0 / 5040;
  series = series * r + 1.0 / 720;
  series = series * r + 1.0 / 120;
  series = series * r + 1.0 / 24;
  series = series * r + 1.0 / 6;
  series = series * r + 0.5;
  series = series * r + 1;
  series = series * r + 1;
  const std::uint64_t power = (std::bit_cast<std::uint64_t>(shifted) + 1023) << 52;  // the bits of 2^k
  return series * std::bit_cast<double>(power);
}

// log(1 + e) for 0 <= e <= 1: 2 atanh(s) with s = e/(2 + e), or log 2 + 2 atanh((e - 1)/(e + 3)) where e is large.
[[gnu::always_inline]] inline double log_of_one_plus(double e) {
  const bool large = e > std::numbers::sqrt2 - 1;
  const double s = (large ? e - 1 : e) / (large ? e + 3 : e + 2);
  const double square = s * s;  // below 0.0295
  double series = 1.0 / 21;
  series = series * square + 1.0 / 19;
  series = series * square + 1.0 / 17;
  series = series * square + 1.0 / 15;
  series = series * square + 1.0 / 13;
  series = series * square + 1.0 / 11;
  series = series * square + 1.0 / 9;
  series = series * square + 1.0 / 7;
  series = series * square + 1.0 / 5;
  series = series * square + 1.0 / 3;
  const double twice = 2 * s;
  return (large ? std::numbers::ln2 : 0.0) + (twice + twice * (square * series));
}

struct LogisticCurve {
  double value, p, bend;
};
[[gnu::always_inline]] inline LogisticCurve logistic_curve(double m) {
  const double e = exp_not_above_zero(-std::abs(m));
  const double inverse = 1 / (1 + e);
  const double smaller = e * inverse;
  return {std::max(-m, 0.0) + log_of_one_plus(e), m >= 0 ? smaller : inverse, smaller * inverse};
}

}  // namespace seesaw
