// A number with a radius: |truth - value| <= error. V is double or Twofold; every operation adds the bound of its own
// rounding, and `underflow` for products that leave the range of normal numbers.
//
// Errors are sums and products of numbers >= 0, computed in double: after k operations they may be too small by a
// factor (1 - u)^k. widened() makes up for 2^32 of them, once, where a bound is read.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "base/scalar.h"
#include "model/rigorous/twofold.h"

namespace seesaw::rigorous {

inline constexpr double unit = 0x1p-53;         // u: half the distance from 1 to the next number
inline constexpr double underflow = 0x1p-1022;  // above what 2^40 operations lose below it; normal: others are slow

template <class V>
inline constexpr double rounding = unit;  // relative, of + - * /
template <>
inline constexpr double rounding<Twofold> = 0x1p-100;

[[gnu::always_inline]] inline double leading(double v) { return v; }
[[gnu::always_inline]] inline double leading(Twofold v) { return v.high; }
template <class V>
[[gnu::always_inline]] inline double size_of(V v) {
  return std::abs(leading(v));
}

[[gnu::always_inline]] inline bool less(double a, double b) { return a < b; }
[[gnu::always_inline]] inline bool less(Twofold a, Twofold b) {
  return a.high < b.high || (a.high == b.high && a.low < b.low);
}

template <class V>
struct Bounded {
  V value = 0;
  double error = 0;
  Bounded() = default;
  constexpr Bounded(double exact) : value(exact) {}  // NOLINT
  constexpr Bounded(V v, double e) : value(v), error(e) {}
};

template <class V>
[[gnu::always_inline]] inline Bounded<V> operator+(Bounded<V> a, Bounded<V> b) {
  const V sum = a.value + b.value;
  return {sum, a.error + b.error + rounding<V> * size_of(sum)};
}
template <class V>
[[gnu::always_inline]] inline Bounded<V> operator-(Bounded<V> a) {
  return {-a.value, a.error};
}
template <class V>
[[gnu::always_inline]] inline Bounded<V> operator-(Bounded<V> a, Bounded<V> b) {
  return a + -b;
}
template <class V>
[[gnu::always_inline]] inline Bounded<V> operator*(Bounded<V> a, Bounded<V> b) {
  const V product = a.value * b.value;
  return {product, (size_of(a.value) + a.error) * b.error + size_of(b.value) * a.error +
                       rounding<V> * size_of(product) + underflow};
}
// b must be bounded away from 0: otherwise the error is infinite.
template <class V>
[[gnu::always_inline]] inline Bounded<V> operator/(Bounded<V> a, Bounded<V> b) {
  const V quotient = a.value / b.value;
  const double least = size_of(b.value) * (1 - 0x1p-50) - b.error;
  if (!(least > 0)) return {quotient, infinity};
  return {quotient, (a.error + size_of(quotient) * b.error + underflow) / least * (1 + 0x1p-30) +
                        4 * rounding<V> * size_of(quotient) + underflow};
}

inline double widened(double error) { return error * (1 + 0x1p-20) + underflow; }

// The next double outward, and a little more: |x| 2^-52 is at least one ulp and at most two.
inline double up(double x) { return x + (std::abs(x) * 0x1p-52 + 0x1p-1074); }
inline double down(double x) { return x - (std::abs(x) * 0x1p-52 + 0x1p-1074); }

template <class V>
double upper(Bounded<V> b);
template <class V>
double lower(Bounded<V> b) {
  return -upper(-b);
}
template <>
inline double upper(Bounded<double> b) {
  return up(b.value + widened(b.error));
}
template <>
inline double upper(Bounded<Twofold> b) {
  return up(b.value.high + up(b.value.low + widened(b.error)));
}
template <class V>
double greatest_size(Bounded<V> b) {
  return std::max(std::abs(upper(b)), std::abs(lower(b)));
}

// max(a, 0): the distance to the truth does not grow. NaN stays NaN.
template <class V>
[[gnu::always_inline]] inline Bounded<V> positive_part(Bounded<V> a) {
  const bool negative = leading(a.value) <= 0;
  const double beyond = a.error * (1 + 0x1p-20) + leading(a.value) * (1 - 0x1p-50);
  const double error = beyond > 0 ? beyond : 0;  // both are computed: no branch
  return {negative ? V(0.0) : a.value, negative ? error : a.error};
}

// Sums of many terms: what every addition loses is kept in `carry`, which loses at most (k u)^2 of the terms' sizes in
// k additions, whatever their order.
template <class V>
class BoundedSum {
 public:
  BoundedSum() = default;
  BoundedSum(double sum, double carry, double size, double error, double count)
      : sum_(sum), carry_(carry), size_(size), error_(error), count_(count) {}

  void add(Bounded<V> term) {
    add_value(term.value);
    error_ += term.error;
  }
  BoundedSum& operator+=(const BoundedSum& other) {
    const Twofold s = two_sum(sum_, other.sum_);
    sum_ = s.high;
    carry_ += s.low + other.carry_;
    size_ += other.size_;
    error_ += other.error_;
    count_ += other.count_ + 2;
    return *this;
  }
  Bounded<Twofold> value() const {
    const double k = (count_ + 4) * unit;
    return {two_sum(sum_, carry_), error_ + 2 * k * k * size_ + 0x1p-100 * std::abs(sum_)};
  }

 private:
  void add_value(double v) {
    const Twofold s = two_sum(sum_, v);
    sum_ = s.high;
    carry_ += s.low;
    size_ += std::abs(v);
    ++count_;
  }
  void add_value(Twofold v) {
    const Twofold s = two_sum(sum_, v.high);
    sum_ = s.high;
    carry_ += s.low + v.low;
    size_ += std::abs(v.high);
    count_ += 2;
  }
  double sum_ = 0, carry_ = 0, size_ = 0, error_ = 0, count_ = 0;
};

}  // namespace seesaw::rigorous
