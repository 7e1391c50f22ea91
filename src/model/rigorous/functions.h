// exp and log with bounds, in double (base/elementary.h, taken to be within 4 ulp) and in twice the precision. Their
// arguments are exact; a caller whose argument has an error adds its effect.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include "base/elementary.h"
#include "model/rigorous/bounded.h"

namespace seesaw::rigorous {

inline constexpr double ulps = 0x1p-50;       // 4 ulp, relative
inline constexpr double fine_ulps = 0x1p-64;  // of the functions of twice the precision; the analysis gives 2^-66

extern const Twofold powers_of_two[64];
extern const Twofold logs_of_128ths[93];

// e^x for |x| <= 708. x = k (ln 2)/64 + r, |r| <= 0.0055, ln 2/64 in three parts, of which two times k are exact. With
// T = 2^(j/64):   T e^r = T + T r + T (r^2/2 + r^3/6 + ...). The first three terms are computed with their errors, the
// rest, below 2^-24, in double: ten roundings of at most 2^-78 each, 2^-74 in all, where the result is at least 0.99.
inline Twofold fine_exp(Twofold x) {
  constexpr double part1 = 0x1.62e42fee00000p-7, part2 = 0x1.a39ef35600000p-39, part3 = 0x1.93c7673007e5fp-71;
  constexpr double rounds = 0x1.8p52;
  const double k = (x.high * 0x1.71547652b82fep+6 + rounds) - rounds;
  const Twofold far = two_sum(x.high - k * part1, -(k * part2));  // both differences are exact
  const Twofold r = two_sum(far.high, far.low + (x.low - k * part3));
  const double t = r.high;
  const double tail =
      t * t * t * (1.0 / 6 + t * (1.0 / 24 + t * (1.0 / 120 + t * (1.0 / 720 + t * (1.0 / 5040 + t * (1.0 / 40320))))));
  const Twofold square = two_product(t, t), power = two_sum(t, 0.5 * square.high);  // e^r - 1 = power + rest
  const double rest = power.low + (r.low + (0.5 * square.low + t * r.low) + tail);
  const auto whole = static_cast<std::int64_t>(k);
  const Twofold T = powers_of_two[whole & 63];
  const Twofold product = two_product(T.high, power.high), sum = fast_two_sum(T.high, product.high);
  const Twofold e = fast_two_sum(sum.high, sum.low + (product.low + (T.high * rest + (T.low + T.low * power.high))));
  const double scale = std::bit_cast<double>(static_cast<std::uint64_t>((whole >> 6) + 1023) << 52);
  return {e.high * scale, e.low * scale};
}

// log a for a normal a = 2^k m, m between 0.7 and 1.42: with c = j/128 nearest to m and q = (m - c)/c, |q| <= 2^-8/c,
//
//     log a = k ln 2 + log c + q - q^2/2 + (q^3/3 - ...),
//
// all but the last in twice the precision. The last is below q^3/2 <= 2^-24 in size and comes with the other low parts
// to at most ten roundings of 2^-53 of that; q^3 q_low, 2^-76, is left out. Where c = 1 that is 2^-66 of the result,
// about q; where c is next to 1 (|log a| >= 2^-8.1, |q| <= 2^-7.9) it is 2^-67, further away less. k ln 2: ln 2 is
// taken to 2^-86. For results of 2^-9 and more: nearer to 1 the low part of a, with a rounding of its own, weighs more.
// What is not positive and normal gives NaN.
inline double log_series(double t) {  // (log(1 + t) - t + t^2/2) / t^3 = 1/3 - t/4 + t^2/5 - ...
  double series = 1.0 / 9;
  for (int k = 8; k >= 3; --k) series = 1.0 / k - t * series;
  return series;
}
inline Twofold fine_log(Twofold a) {
  if (!(a.high >= 0x1p-1022 && a.high < infinity)) return {NAN, NAN};
  constexpr std::uint64_t root_half = 0x3fe6a09e667f3bcd, one = 0x3ff0000000000000;
  constexpr double rounds = 0x1.8p52;
  const std::int64_t exponent =
      static_cast<std::int64_t>((std::bit_cast<std::uint64_t>(a.high) + (one - root_half)) >> 52) - 1023;
  // Two steps: 2^-exponent alone may be no normal number.
  const auto power = [](std::int64_t e) { return std::bit_cast<double>(static_cast<std::uint64_t>(e + 1023) << 52); };
  const std::int64_t half = exponent >> 1;
  const double one_half = power(-half), other = power(half - exponent), k = static_cast<double>(exponent);
  const double m = a.high * one_half * other, low = a.low * one_half * other;
  const double j = (128 * m + rounds) - rounds, c = j * 0x1p-7;
  const double f = m - c, q = f / c;  // the difference is exact
  const Twofold back = two_product(q, c), square = two_product(q, q);
  const double q_low = (((f - back.high) - back.low) + low) / c;
  const Twofold table = logs_of_128ths[static_cast<std::size_t>(j) - 90];
  const Twofold first = two_sum(k * ln2_high, table.high), second = two_sum(first.high, q);
  const Twofold third = two_sum(second.high, -0.5 * square.high);
  const double rest = (q_low * (1 - q + q * q) - 0.5 * square.low) + q * q * q * log_series(q);  // q_low is up to 2^-53
  return two_sum(third.high, (k * ln2_low + table.low) + (first.low + (second.low + (third.low + rest))));
}

// log(1 + e) for |e| <= 2^-8 by its series, the first two terms in twice the precision.
inline Twofold fine_log_near_one(Twofold e) {
  const double t = e.high;
  Twofold square = e * e;
  square = {-0.5 * square.high, -0.5 * square.low};
  return e + (square + Twofold(t * t * t * log_series(t)));
}

// e^x for x <= 0 (Twofold: up to 1e-10).
[[gnu::always_inline]] inline Bounded<double> bounded_exp(double x) {
  const double e = exp_of_negative(x), error = ulps * e;
  return {e, x < -700 ? e : error};
}
inline Bounded<Twofold> bounded_exp(Twofold x) {
  if (!(x.high >= -700)) return {Twofold(exp_of_negative(-700)), x.high < -700 ? exp_of_negative(-700) * 1.01 : NAN};
  const Twofold e = fine_exp(x);
  return {e, fine_ulps * e.high};
}

// log x of a normal x that is not within 2^-9 of 1.
[[gnu::always_inline]] inline Bounded<double> bounded_log(double x) {
  const double log = log_of_positive(x);
  return {log, ulps * std::abs(log)};
}
inline Bounded<Twofold> bounded_log(Twofold x) {
  const Twofold log = fine_log(x);
  return {log, fine_ulps * std::abs(log.high)};
}

// log(1 + e) for e >= 0 (Twofold: e >= -1/2).
inline Bounded<double> bounded_log_one_plus(double e) {
  const double log = e <= 1 ? log_of_one_and(e) : log_of_positive(1 + e);  // 1 + e: u relative, and log(1 + e) > 0.69
  return {log, 4 * ulps * log + underflow};
}
inline Bounded<Twofold> bounded_log_one_plus(Twofold e) {
  const Twofold log = std::abs(e.high) <= 0x1p-8 ? fine_log_near_one(e) : fine_log(Twofold(1.0) + e);
  return {log, fine_ulps * std::abs(log.high) + underflow};
}

// The same for 0 <= e <= 1 (Twofold: as above), without a branch.
[[gnu::always_inline]] inline Bounded<double> bounded_log_one_plus_small(double e) {
  const double log = log_of_one_and(e);
  return {log, ulps * log + underflow};
}
inline Bounded<Twofold> bounded_log_one_plus_small(Twofold e) { return bounded_log_one_plus(e); }

// log(1 - s) for 0 <= s <= 1/2 (Bounded: value s in that range). In double: log of q = fl(1 - s), corrected by what the
// rounding of q took, d = (1 - q) - s exactly: log(1 - s) = log q + log(1 + d/q), d/q below 2 u.
[[gnu::always_inline]] inline Bounded<double> bounded_log_one_minus(double s) {
  const double q = 1 - s, d = (1 - q) - s;
  const double log = log_of_positive(q) + d / q;
  return {log, 4 * ulps * std::abs(log) + underflow};
}
inline Bounded<Twofold> bounded_log_one_minus(Twofold s) { return bounded_log_one_plus(-s); }

// p log p + (1 - p) log(1 - p) for an exact p in [0, 1]: a function of the smaller of p and 1 - p, which is exact.
template <class V>
[[gnu::always_inline]] inline Bounded<V> bounded_binary_entropy(double p) {
  const double s = p <= 0.5 ? p : 1 - p, t = s < 0x1p-1022 ? 0x1p-1022 : s;
  const Bounded<V> sum =
      Bounded<V>(t) * bounded_log(V(t)) + (Bounded<V>(1.0) - Bounded<V>(t)) * bounded_log_one_minus(V(t));
  return {s < 0x1p-1022 ? V(0.0) : sum.value, s < 0x1p-1022 ? 0x1p-1011 : sum.error};  // |s log s| + s
}

// p log p for 0 <= p <= 1 with an error, where p is not near 1 (p <= 1/2): it falls up to 1/e and rises slowly beyond.
template <class V>
Bounded<V> bounded_entropy(Bounded<V> p) {
  const double least = leading(p.value) * (1 - 0x1p-50) - p.error * (1 + 0x1p-20);
  if (least < 0x1p-1022) {  // |p log p| <= 2 sqrt(p) for p <= 1
    const double most = std::max(0.0, leading(p.value)) + p.error;
    return {V(0.0), most == 0 ? 0 : 2 * std::sqrt(most) + 0x1p-500};
  }
  const Bounded<V> log = bounded_log(p.value);  // |d(p log p)/dp| <= 1 + |log p| between
  const double derivative = 1 + std::abs(log_of_positive(least)) * (1 + 0x1p-40);
  const Bounded<V> product = Bounded<V>(p.value, 0) * log;
  return {product.value, product.error + derivative * p.error};
}

}  // namespace seesaw::rigorous
