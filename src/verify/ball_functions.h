// exp and log of balls, by argument reduction with tables of 64 points and Taylor polynomials whose truncation error is
// bounded here; the rounding errors of every step are in the radius.
#pragma once

#include <array>
#include <bit>

#include "verify/ball.h"

namespace seesaw::verifier {

struct FunctionTables {
  std::array<Ball, 64> power;      // 2^(j/64)
  std::array<Ball, 128> log_of;    // log(j/64), j >= 32
  std::array<Ball, 6> reciprocal;  // 1/n! for n < 6
  Ball third, fifth, seventh;
};
extern const FunctionTables tables;

SEESAW_INLINE double nearest_integer(double x) { return (x + 0x1.8p52) - 0x1.8p52; }  // |x| < 2^51
SEESAW_INLINE double power_of_two(int k) {                                            // -1022 <= k <= 1023
  return std::bit_cast<double>(static_cast<std::uint64_t>(k + 1023) << 52);
}
SEESAW_INLINE Ball ln2() { return {0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56, 0x1p-110}; }

// e^r for |r| <= 0.0055, r^6/6! + ... + r^12/12! in double: below 2^-54, so that its rounding is below 2^-104.
SEESAW_INLINE Ball exp_near_zero(const Ball& r, const std::array<Ball, 6>& reciprocal) {
  const double h = r.high;
  const double tail = 1.0 / 720 + h * (1.0 / 5040 + h * (1.0 / 40320 + h * (1.0 / 362880 + h * (1.0 / 3628800))));
  Ball sum{tail, 0, 0x1p-51 * tail};
  for (int n = 5; n >= 2; --n) sum = reciprocal[static_cast<std::size_t>(n)] + r * sum;
  return Ball(1) + (r + square(r) * sum);
}

// x = (64 k + j) ln2/64 + r:   e^x = 2^k 2^(j/64) e^r.
SEESAW_INLINE Ball exp_of(const Ball& x) {
  if (x.high * (1 - 0x1p-50) + x.radius < -746) return from_zero_to(smallest);  // whatever the radius
  if (!(x.radius <= 0.5) || !(x.high < 709)) return unbounded();
  if (x.high < -745.5) return from_zero_to(smallest);                  // e^-745 < 2^-1074, e^radius < 2
  const double steps = nearest_integer(x.high * 0x1.71547652b82fep6);  // 64/ln2
  const Pair second = two_product(steps, 0x1.cf79abc9e3b3ap-46);
  Ball r = Ball(two_sum(x.high, -steps * 0x1.62e42fefa0000p-7)) + Ball(x.low);  // steps has 17 bits: exact
  r = r - Ball(second) - Ball(steps * -0x1.ff0342542fc33p-100).widened(0x1p-135);
  const int whole = static_cast<int>(steps);
  const int j = whole & 63, k = (whole - j) / 64;
  const Ball value = tables.power[static_cast<std::size_t>(j)] * exp_near_zero(r, tables.reciprocal);
  // e^(x + t) - e^x is at most e^x |t| (1 + |t|) for |t| <= 1.
  const Ball exact = value.widened(rounded_up(2 * std::abs(value.high) * x.radius * (1 + x.radius)));
  if (k < -900) return times_power(exact, k);
  const double scale = power_of_two(k);
  return {exact.high * scale, exact.low * scale, exact.radius * scale};
}

// log((1 + s)/(1 - s)) = 2 s (1 + s^2/3 + s^4/5 + s^6/7 + ...) for |s| <= 0.0057, s^8/9 + ... + s^14/15 in double.
SEESAW_INLINE Ball log_near_one(const Ball& s) {
  const Ball q = square(s);
  const double h = q.high;
  const double tail = 1.0 / 9 + h * (1.0 / 11 + h * (1.0 / 13 + h * (1.0 / 15)));
  Ball sum{tail, 0, 0x1p-51 * tail};
  sum = tables.seventh + q * sum;
  sum = tables.fifth + q * sum;
  sum = tables.third + q * sum;
  const Ball two_s{2 * s.high, 2 * s.low, 2 * s.radius};
  return two_s + two_s * (q * sum);
}

Ball log_of_tiny(const Ball& x);  // below 2^-1000

// x = 2^k m with m between 0.7 and 1.41, c the nearest of the table:   log x = k ln 2 + log c + log(m/c). Accurate relative
// to log x also for x near 1: the differences are exact.
SEESAW_INLINE Ball log_of(const Ball& x) {
  const double lowest = x.high * (1 - 0x1p-50) - x.radius;
  if (!(lowest > 0) || !(x.high < inf)) return unbounded();
  if (x.high < 0x1p-1000) return log_of_tiny(x);
  int k = static_cast<int>(std::bit_cast<std::uint64_t>(x.high * 1.4142) >> 52) - 1023;
  if (k > 1000) return unbounded();  // larger than any argument that occurs
  const double scale = power_of_two(-k);
  const Ball m(Pair{x.high * scale, x.low * scale});
  const double j = nearest_integer(64 * m.high), c = j / 64;
  const Ball from_c = Ball(two_sum(m.high - c, m.low));  // m.high - c is exact (Sterbenz)
  const Ball near = log_near_one(from_c / (m + Ball(c)));
  Ball value = near;
  if (j != 64) value = value + tables.log_of[static_cast<std::size_t>(j)];
  if (k != 0) value = value + Ball(static_cast<double>(k)) * ln2();
  if (x.radius == 0) return value;
  return value.widened(rounded_up(x.radius / lowest));
}

// p log p for a number p in [0, 1], with 0 log 0 = 0.
SEESAW_INLINE Ball p_log_p(const Ball& p) {
  if (p.zero()) return {};
  const double lowest = p.high * (1 - 0x1p-50) - p.radius;
  if (lowest > 0) {  // the derivative is log p + 1
    const Ball exact = p.radius == 0 ? p : Ball(p.high, p.low, 0), log = log_of(exact);
    const Ball product = exact * log;
    if (p.radius == 0) return product;
    return product.widened(rounded_up(p.radius * (1 + log.magnitude() + p.radius / lowest)));
  }
  if (!(p.magnitude() < 0x1p-10)) return unbounded();
  const Ball most(p.magnitude());  // -p log p increases on [0, 1/e]
  return -from_zero_to((most * -log_of(most)).magnitude());
}

// log(1 + e^t) for t <= 0: the derivative is at most 1/2.
SEESAW_INLINE Ball log_of_one_plus_exp(const Ball& t) {
  const Ball power = exp_of(Ball(t.high, t.low, 0));
  if (power.high < 0x1p-110)  // log(1 + e) lies in [e - e^2/2, e]
    return power.widened(rounded_up(power.high * 0x1p-110 + smallest + t.radius));
  if (power.high < 0.01) return log_near_one(power / (Ball(2) + power)).widened(t.radius);
  return log_of(Ball(1) + power).widened(t.radius);
}

// 1 - e^-q for q >= 0, with relative accuracy.
Ball one_minus_exp_of_minus(const Ball& q);

}  // namespace seesaw::verifier
