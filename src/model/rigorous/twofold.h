// Numbers of twice the precision: high + low, not evaluated, |low| <= u |high| with u = 2^-53. Sums and products of
// doubles are exact in them. The products are Dekker's: the same bits with and without a fused multiply-add. Error
// bounds after Joldes, Muller, Popescu (2017), doubled or more: 2^-102 relative for + - *, 2^-100 for /.
#pragma once

#include <cmath>

namespace seesaw::rigorous {

struct Twofold {
  double high = 0, low = 0;
  Twofold() = default;
  constexpr Twofold(double value) : high(value) {}  // NOLINT: exact
  constexpr Twofold(double h, double l) : high(h), low(l) {}
};

// a + b exactly (Knuth), unless it overflows.
[[gnu::always_inline]] inline Twofold two_sum(double a, double b) {
  const double sum = a + b, moved = sum - a;
  return {sum, (a - (sum - moved)) + (b - moved)};
}
[[gnu::always_inline]] inline Twofold fast_two_sum(double a, double b) {  // |a| >= |b|
  const double sum = a + b;
  return {sum, b - (sum - a)};
}

struct Halves {
  double high, low;
};
[[gnu::always_inline]] inline Halves split(double a) {  // Veltkamp: 26 bits each; |a| < 2^996
  const double scaled = 134217729.0 * a, high = scaled - (scaled - a);
  return {high, a - high};
}
// a b exactly, but for at most 8 * 2^-1074 where the product or its low part underflows. NaN where a factor is above
// 2^996: certificates treat that as no bound.
[[gnu::always_inline]] inline Twofold two_product(double a, double b) {
  const double product = a * b;
  const Halves x = split(a), y = split(b);
  return {product, x.low * y.low - (((product - x.high * y.high) - x.low * y.high) - x.high * y.low)};
}

[[gnu::always_inline]] inline Twofold operator+(Twofold a, Twofold b) {
  Twofold s = two_sum(a.high, b.high);
  const Twofold t = two_sum(a.low, b.low);
  s = fast_two_sum(s.high, s.low + t.high);
  return fast_two_sum(s.high, s.low + t.low);
}
[[gnu::always_inline]] inline Twofold operator-(Twofold a) { return {-a.high, -a.low}; }
[[gnu::always_inline]] inline Twofold operator-(Twofold a, Twofold b) { return a + -b; }
[[gnu::always_inline]] inline Twofold operator*(Twofold a, Twofold b) {
  const Twofold p = two_product(a.high, b.high);
  return fast_two_sum(p.high, p.low + (a.high * b.low + a.low * b.high));
}
// One step of long division: q = fl(a / b), then the remainder, which is exact but for 2^-104 |a|.
[[gnu::always_inline]] inline Twofold operator/(Twofold a, Twofold b) {
  const double first = a.high / b.high;
  const Twofold rest = a - b * Twofold(first);
  return fast_two_sum(first, rest.high / b.high);
}

}  // namespace seesaw::rigorous
