// Sums of products of doubles, to about 159 bits.
//
// Every sum and product of two doubles is split into its rounded value and its error, both doubles. The rounded values
// are summed in `first`, their errors in `second`, and the errors of those in `third`, in plain double arithmetic:
// `size` bounds its terms, so the error of m additions is at most m u size. Exact if `third` has no terms. Overflow
// gives NaN.
#pragma once

#include <cstddef>

#include "verify/ball.h"

namespace seesaw::verifier {

struct Sum {
  double first = 0, second = 0, third = 0;
  double size = 0;    // sum of |terms of third|
  double radius = 0;  // of the terms themselves

  SEESAW_INLINE void add_to_second(double value) {
    const Pair s = two_sum(second, value);
    second = s.high;
    third += s.low;
    size += std::abs(s.low);
  }
  SEESAW_INLINE void add(double value) {
    const Pair s = two_sum(first, value);
    first = s.high;
    add_to_second(s.low);
  }
  SEESAW_INLINE void add_product(double a, double b) {
    const Pair p = two_product(a, b);
    add(p.high);
    add_to_second(p.low);
    radius += ((std::abs(p.high) < 0x1p-960) & (a != 0) & (b != 0)) ? smallest : 0;
  }
  SEESAW_INLINE void add(const Ball& value) {
    add(value.high);
    add_to_second(value.low);
    radius += value.radius;
  }
  // a (high + low) with a radius of high + low.
  SEESAW_INLINE void add_product(double a, const Ball& b) {
    add_product(a, b.high);
    if (b.low != 0) {
      const Pair p = two_product(a, b.low);
      add_to_second(p.high);
      third += p.low;
      size += std::abs(p.low);
    }
    if (b.low != 0 || b.radius != 0) radius += rounded_up(std::abs(a) * b.radius) + 2 * smallest;
  }
  SEESAW_INLINE void add(const Sum& other) {
    add(other.first);
    add_to_second(other.second);
    third += other.third;
    size += other.size + std::abs(other.third);
    radius += other.radius;
  }
  Sum& operator+=(const Sum& other) {  // of base/tree_sum.h
    add(other);
    return *this;
  }

  // `terms`: the number of terms added, at most 2^40. Sums of several terms each that were added are not counted: there are
  // fewer of them, and each has at most 4 additions to `third` and `size`.
  SEESAW_INLINE Ball value(std::size_t terms) const {
    const Pair rest = two_sum(second, third), s = two_sum(first, rest.high), last = two_sum(s.low, rest.low);
    const double steps = 8.0 * (static_cast<double>(terms) + 8);
    const double error = size == 0 ? 0 : size * (steps * 0x1p-52) + smallest;
    return {two_sum(s.high, last.high), rounded_up(radius * (1 + steps * 0x1p-53) + error + std::abs(last.low))};
  }
};

}  // namespace seesaw::verifier
