// The verifier's numbers: a double-double (about 106 bits) with a bound of all rounding errors. The exact value is
// within `radius` of high + low, whatever the data; overflow gives an infinite radius or NaN, which no comparison below
// accepts. Only +, -, *, /, sqrt and the fused multiply-add of IEEE doubles are used, so the results are bitwise
// identical on every machine.
//
// Error bounds (u = 2^-53): Joldes, Muller, Popescu, Tight and rigorous error bounds for basic building blocks of
// double-word arithmetic, 2017: sums 3u^2/(1 - 4u), products 5u^2, quotients 15u^2 + 56u^3; square roots 25/8 u^2
// (Lefevre, Louvet, Muller, Picot, Rideau 2023). They hold without underflow, which is added separately.
//
// All functions are always_inline: inside a function compiled for FMA (passes.cpp, row_losses.cpp) the fused
// operations are instructions, elsewhere calls of the C library's correctly rounded fma(). Both give the same bits.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

namespace seesaw::verifier {

inline constexpr double inf = std::numeric_limits<double>::infinity();
inline constexpr double smallest = 0x1p-1074;  // positive double

#define SEESAW_INLINE [[gnu::always_inline]] inline

struct Pair {
  double high, low;
};

// a + b = high + low exactly.
SEESAW_INLINE Pair two_sum(double a, double b) {
  const double sum = a + b, second = sum - a, first = sum - second;
  return {sum, (a - first) + (b - second)};
}
// The same if |a| >= |b| or a = 0.
SEESAW_INLINE Pair fast_two_sum(double a, double b) {
  const double sum = a + b;
  return {sum, b - (sum - a)};
}
// a b = high + low, exactly where |a b| >= 2^-960 or a b = 0, otherwise within `smallest`.
SEESAW_INLINE Pair two_product(double a, double b) {
  const double product = a * b;
  return {product, __builtin_fma(a, b, -product)};
}

// An upper bound of the exact value of an expression with a few roundings and nonnegative operands.
SEESAW_INLINE double rounded_up(double value) { return value == 0 ? 0 : value * (1 + 0x1p-48) + smallest; }

// Times a sum of nonnegative numbers: exceeds the error of a few thousand roundings.
inline constexpr double outward = 1 + 0x1p-32;

inline double next_above(double value) { return std::nextafter(value, inf); }
inline double next_below(double value) { return std::nextafter(value, -inf); }

struct Ball {
  double high = 0, low = 0;  // |low| <= ulp(high) / 2
  double radius = 0;

  Ball() = default;
  SEESAW_INLINE Ball(double value) : high(value) {}
  SEESAW_INLINE Ball(double h, double l, double r) : high(h), low(l), radius(r) {}
  SEESAW_INLINE Ball(Pair normalized, double r = 0) : high(normalized.high), low(normalized.low), radius(r) {}

  bool zero() const { return high == 0 && radius == 0; }
  SEESAW_INLINE double magnitude() const {  // an upper bound of |value|
    return rounded_up(std::abs(high) + std::abs(low) + radius);
  }
  SEESAW_INLINE Ball widened(double by) const { return {high, low, rounded_up(radius + by)}; }

  // Doubles that bound the value from above and below. NaN: infinite bounds.
  double upper() const {
    if (!(std::abs(high) < inf)) return inf;
    if (low == 0 && radius == 0) return high;
    const double bound = next_above(high + next_above(low + radius));
    return std::isnan(bound) ? inf : bound;
  }
  double lower() const { return -Ball(-high, -low, radius).upper(); }
};

// sqrt(value) from above; 0 for values below 0.
inline double root_above(const Ball& value) { return rounded_up(std::sqrt(std::max(0.0, value.upper()))); }

SEESAW_INLINE Ball unbounded() { return {0, 0, inf}; }  // the whole real line
SEESAW_INLINE bool finite(const Ball& a) { return std::abs(a.high) < inf && a.radius < inf; }

// The ball that contains [0, upper], upper >= 0.
SEESAW_INLINE Ball from_zero_to(double upper) { return {0.5 * upper, 0, rounded_up(0.5 * upper)}; }

SEESAW_INLINE Ball operator-(const Ball& a) { return {-a.high, -a.low, a.radius}; }

SEESAW_INLINE Ball operator+(const Ball& a, const Ball& b) {
  const Pair s = two_sum(a.high, b.high), t = two_sum(a.low, b.low);
  const Pair v = fast_two_sum(s.high, s.low + t.high);
  const Pair z = fast_two_sum(v.high, t.low + v.low);
  return {z, rounded_up(a.radius + b.radius + 0x1p-104 * std::abs(z.high))};
}
SEESAW_INLINE Ball operator-(const Ball& a, const Ball& b) { return a + (-b); }

SEESAW_INLINE Ball operator*(const Ball& a, const Ball& b) {
  const Pair p = two_product(a.high, b.high);
  const double cross = __builtin_fma(a.low, b.high, __builtin_fma(a.high, b.low, a.low * b.low));
  const Pair z = fast_two_sum(p.high, p.low + cross);
  double error = 0x1p-102 * std::abs(z.high);
  if (!(std::abs(p.high) >= 0x1p-900) && !(a.zero() || b.zero())) error += 0x1p-1065;
  return {z, rounded_up(error + std::abs(a.high) * b.radius + std::abs(b.high) * a.radius + a.radius * b.radius)};
}

// a 2^exponent.
SEESAW_INLINE Ball times_power(const Ball& a, int exponent) {
  if (a.zero()) return {};
  const Pair scaled = fast_two_sum(std::ldexp(a.high, exponent), std::ldexp(a.low, exponent));
  return exponent >= 0 ? Ball(scaled, std::ldexp(a.radius, exponent))
                       : Ball(scaled, std::ldexp(a.radius, exponent)).widened(0x1p-1070);  // underflow
}
SEESAW_INLINE Ball half(const Ball& a) { return a * Ball(0.5); }

SEESAW_INLINE Ball operator/(const Ball& a, const Ball& b) {
  const double smallest_b = std::abs(b.high) * (1 - 0x1p-50) - b.radius;
  if (!(smallest_b > 0)) return unbounded();
  const double q = a.high / b.high;
  const Pair p = two_product(b.high, q);  // b q in double-double
  const Pair t = fast_two_sum(p.high, b.low * q);
  const Pair r = fast_two_sum(t.high, t.low + p.low);
  const double rest = ((a.high - r.high) + (a.low - r.low)) / b.high;
  const Pair z = fast_two_sum(q, rest);
  double error = 0x1p-101 * std::abs(z.high);
  if (!(std::abs(a.high) >= 0x1p-900 && std::abs(q) >= 0x1p-900) && !a.zero())
    error += 0x1p-1060 + 0x1p-1060 / smallest_b;
  return {z, rounded_up(error + rounded_up(a.radius + z.high * (z.high < 0 ? -1 : 1) * b.radius) / smallest_b)};
}

// sqrt of a nonnegative number; the negative part of a ball is dropped.
SEESAW_INLINE Ball square_root(const Ball& a) {
  if (a.zero()) return {};
  const double lowest = a.high * (1 - 0x1p-50) - a.radius;
  if (!(lowest > 0x1p-900)) {  // too close to 0 to divide by: [0, sqrt(upper)]
    const double upper = a.magnitude();
    return std::isfinite(upper) ? from_zero_to(rounded_up(std::sqrt(upper))) : unbounded();
  }
  const double s = std::sqrt(a.high);
  const double rest = __builtin_fma(-s, s, a.high) + a.low;
  const Pair z = fast_two_sum(s, rest / (2 * s));
  return {z, rounded_up(0x1p-101 * s + a.radius / (2 * (std::sqrt(lowest) * (1 - 0x1p-50))))};
}

// True only if the sign is certain. |low| is below 2^-52 |high|.
SEESAW_INLINE bool not_negative(const Ball& a) {
  return a.radius == 0 ? a.high >= 0 : a.radius <= a.high * (1 - 0x1p-40);
}
SEESAW_INLINE bool certainly_at_most(const Ball& a, const Ball& b) { return not_negative(b - a); }

SEESAW_INLINE Ball positive_part(const Ball& a) {
  if (not_negative(a)) return a;
  if (not_negative(-a)) return {};
  const double upper = a.magnitude();
  return upper < inf ? from_zero_to(upper) : unbounded();
}
SEESAW_INLINE Ball absolute(const Ball& a) {
  if (not_negative(a)) return a;
  if (not_negative(-a)) return -a;
  const double upper = a.magnitude();
  return upper < inf ? from_zero_to(upper) : unbounded();
}
SEESAW_INLINE Ball square(const Ball& a) { return a * a; }

// A ball that contains both.
SEESAW_INLINE Ball hull(const Ball& a, const Ball& b) { return {a.high, a.low, (b - a).magnitude()}; }

// max(a, b) is 1-Lipschitz in both.
SEESAW_INLINE Ball larger(const Ball& a, const Ball& b) {
  if (!(finite(a) && finite(b))) return unbounded();
  const bool first = a.high > b.high || (a.high == b.high && a.low >= b.low);
  return {first ? a.high : b.high, first ? a.low : b.low, a.radius > b.radius ? a.radius : b.radius};
}

#if defined(__x86_64__)
inline bool has_fma() {
  static const bool has = __builtin_cpu_supports("fma");
  return has;
}
#endif

}  // namespace seesaw::verifier
