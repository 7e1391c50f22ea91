// exp and log with bounds, in double (base/elementary.h, taken to be within 4 ulp) and in twice the precision. Their
// arguments are exact; a caller whose argument has an error adds what that is worth.
#pragma once

#include <algorithm>
#include <cmath>

#include "base/elementary.h"
#include "model/rigorous/bounded.h"

namespace seesaw::rigorous {

inline constexpr double ulps = 0x1p-50;       // 4 ulp, relative
inline constexpr double fine_ulps = 0x1p-66;  // of the functions of twice the precision; the analysis gives 2^-70

extern const Twofold powers_of_two[64];

// e^x for |x| <= 708. x = k (ln 2)/64 + r, |r| <= 0.0055: the first three terms of the series in twice the precision,
// the rest, below 2^-25, in double: 2^-75 in all. ln 2/64 in three parts, of which two times k are exact.
inline Twofold fine_exp(Twofold x) {
  constexpr double part1 = 0x1.62e42fee00000p-7, part2 = 0x1.a39ef35600000p-39, part3 = 0x1.93c7673007e5fp-71;
  constexpr double rounds = 0x1.8p52;
  const double k = (x.high * 0x1.71547652b82fep+6 + rounds) - rounds;
  const Twofold far = two_sum(x.high - k * part1, -(k * part2));  // both differences are exact
  const Twofold r = far + Twofold(x.low) + Twofold(-(k * part3));
  const double t = r.high;
  const double tail =
      t * t * t * (1.0 / 6 + t * (1.0 / 24 + t * (1.0 / 120 + t * (1.0 / 720 + t * (1.0 / 5040 + t * (1.0 / 40320))))));
  Twofold square = r * r;
  square = {0.5 * square.high, 0.5 * square.low};
  const Twofold power = Twofold(1.0) + (r + (square + Twofold(tail)));
  const auto whole = static_cast<long>(k);
  const Twofold scaled = powers_of_two[whole & 63] * power;
  const int exponent = static_cast<int>(whole >> 6);
  return {std::ldexp(scaled.high, exponent), std::ldexp(scaled.low, exponent)};
}

// log a for a normal a: one step of Newton from the double, L + (a e^-L - 1), whose error is the square of the first.
// Relative to 1 rather than to the result: for results of 2^-9 and more.
inline Twofold fine_log(Twofold a) {
  const double first = log_of_positive(a.high);
  return Twofold(first) + (a * fine_exp(Twofold(-first)) - Twofold(1.0));
}

// log(1 + e) for |e| <= 2^-8 by its series, the first two terms in twice the precision.
inline Twofold fine_log_near_one(Twofold e) {
  const double t = e.high;
  double tail = 1.0 / 9;
  for (int k = 8; k >= 3; --k) tail = 1.0 / k - t * tail;
  Twofold square = e * e;
  square = {-0.5 * square.high, -0.5 * square.low};
  return e + (square + Twofold(t * t * t * tail));
}

// e^x for x <= 0 (Twofold: up to 1e-10).
inline Bounded<double> bounded_exp(double x) {
  const double e = exp_of_negative(x);
  return {e, x < -700 ? e : ulps * e};
}
inline Bounded<Twofold> bounded_exp(Twofold x) {
  if (!(x.high >= -700)) return {Twofold(exp_of_negative(-700)), x.high < -700 ? exp_of_negative(-700) * 1.01 : NAN};
  const Twofold e = fine_exp(x);
  return {e, fine_ulps * e.high};
}

// log x of a normal x that is not within 2^-9 of 1.
inline Bounded<double> bounded_log(double x) {
  const double log = log_of_positive(x);
  return {log, ulps * std::abs(log)};
}
inline Bounded<Twofold> bounded_log(Twofold x) {
  const Twofold log = fine_log(x);
  return {log, fine_ulps * std::abs(log.high)};
}

// log(1 + e) for e >= 0.
inline Bounded<double> bounded_log_one_plus(double e) {
  const double log = e <= 1 ? log_of_one_and(e) : log_of_positive(1 + e);  // 1 + e: u relative, and log(1 + e) > 0.69
  return {log, 4 * ulps * log + underflow};
}
inline Bounded<Twofold> bounded_log_one_plus(Twofold e) {
  const Twofold log = e.high <= 0x1p-8 ? fine_log_near_one(e) : fine_log(Twofold(1.0) + e);
  return {log, fine_ulps * log.high + underflow};
}

// log(1 - s) for 0 <= s <= 1/2 (Bounded: value s in that range). In double: log of q = fl(1 - s), corrected by what the
// rounding of q took, d = (1 - q) - s exactly: log(1 - s) = log q + log(1 + d/q), d/q below 2 u.
inline Bounded<double> bounded_log_one_minus(double s) {
  const double q = 1 - s, d = (1 - q) - s;
  const double log = log_of_positive(q) + d / q;
  return {log, 4 * ulps * std::abs(log) + underflow};
}
inline Bounded<Twofold> bounded_log_one_minus(Twofold s) {
  const Twofold log = s.high <= 0x1p-8 ? fine_log_near_one(-s) : fine_log(Twofold(1.0) - s);
  return {log, fine_ulps * std::abs(log.high) + underflow};
}

// p log p + (1 - p) log(1 - p) for an exact p in [0, 1]: a function of the smaller of p and 1 - p, which is exact.
template <class V>
Bounded<V> bounded_binary_entropy(double p) {
  const double s = p <= 0.5 ? p : 1 - p;
  if (s < 0x1p-1022) return {V(0.0), 0x1p-1011};  // |s log s| + s
  return Bounded<V>(s) * bounded_log(V(s)) + (Bounded<V>(1.0) - Bounded<V>(s)) * bounded_log_one_minus(V(s));
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
  const double slope = 1 + std::abs(log_of_positive(least)) * (1 + 0x1p-40);
  const Bounded<V> product = Bounded<V>(p.value, 0) * log;
  return {product.value, product.error + slope * p.error};
}

}  // namespace seesaw::rigorous
