// Values and conjugates of the losses with bounds: phi(z) of a score with an error, phi*(y) of an exact y.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "model/losses/loss.h"
#include "model/losses/row_terms.h"
#include "model/rigorous/functions.h"

namespace seesaw::rigorous {

// The quantile loss has the derivative 1 - t above the target, which is not always a double: the part that rounding
// took. 0 for every other loss.
struct PiecewiseLoss {
  PiecewiseQuadratic loss;
  double above_rest = 0;  // 1 - t = domains[].hi + above_rest exactly

  // The doubles inside the domain of y.
  Interval domain(double b) const {
    Interval box = loss.domain(b);
    if (above_rest < 0) box.hi = std::nextafter(box.hi, 0.0);
    return box;
  }

  // On one side of the target: sup over 0 <= y <= bound of y w - (k/2) y^2 for w = max(|z - b| - e, 0). At the double y
  // nearest to the maximizer; with w off by `error` and y by 2^-51 the supremum is at most 2 off^2 / k higher, where
  // off = error + 2^-51 k y: second order, also where y is at its bound. It is at most 2 off bound higher as well, since y
  // can move by no more than its bound; that is less where w is so large that off^2 overflows. `curved`: k > 0.
  template <bool curved, class V>
  [[gnu::always_inline]] Bounded<V> side(Bounded<V> w, double bound, double rest) const {
    const double k = loss.curvature, width = leading(w.value), best = curved ? width / k : bound;
    const double y = best < bound ? best : bound;
    Bounded<V> derivative(y);
    if (rest != 0 && y == bound) derivative = Bounded<V>(y) + Bounded<V>(rest);
    Bounded<V> value = derivative * w;
    if constexpr (curved) {
      value = value - Bounded<V>(0.5 * k) * (Bounded<V>(y) * Bounded<V>(y));
      const double off = w.error + 0x1p-51 * k * y;
      const double second_order = 2 * off * off / k, first_order = 2 * off * bound;  // NaN if off = 0, bound = infinity
      value.error += (first_order < second_order ? first_order : second_order) + underflow;
    }
    const double present = width + w.error, least = present < bound ? present : bound;  // 0: nothing on this side
    return {least == 0 ? V(0.0) : value.value, least == 0 ? 0.0 : value.error};
  }

  template <bool curved, class V>
  [[gnu::always_inline]] Bounded<V> sides(double b, Bounded<V> z, double rest) const {
    const Bounded<V> r = z - Bounded<V>(b), e(loss.insensitivity);
    const Interval box = domain_of(loss, b);
    const Bounded<V> above = side<curved>(positive_part(r - e), box.hi, rest);
    const Bounded<V> below = side<curved>(positive_part(-r - e), -box.lo, 0);
    return {above.value + below.value, above.error + below.error};  // exact: one of them is 0
  }

  template <class V>
  [[gnu::always_inline]] Bounded<V> value(double b, Bounded<V> z) const {
    return loss.curvature > 0 ? sides<true>(b, z, above_rest) : sides<false>(b, z, above_rest);
  }

  template <class V>
  [[gnu::always_inline]] Bounded<V> conjugate(double b, double y) const {
    Bounded<V> sum = Bounded<V>(b) * Bounded<V>(y);
    if (loss.insensitivity > 0) sum = sum + Bounded<V>(loss.insensitivity) * Bounded<V>(std::abs(y));
    if (loss.curvature > 0) sum = sum + Bounded<V>(0.5 * loss.curvature) * (Bounded<V>(y) * Bounded<V>(y));
    return sum;
  }

  // The largest |z - b| on a side (y of the sign of `sign`) whose loss is at most q: an upper bound.
  double reach(double q, double b, double sign) const {
    const double k = loss.curvature, bound = sign > 0 ? loss.domain(b).hi : -loss.domain(b).lo;
    if (!(bound > 0)) return infinity;
    const double wide = 1 + 0x1p-48;  // eight roundings
    const double width = q <= 0.5 * k * bound * bound ? std::sqrt(2 * k * q) : q / bound + 0.5 * k * bound;
    return (width + loss.insensitivity) * wide + underflow;
  }
};

// phi(m) = max(-m, 0) + log(1 + e^-|m|), m = b z
struct LogisticLoss {
  Interval domain(double b) const { return Logistic{}.domain(b); }

  template <class V>
  [[gnu::always_inline]] Bounded<V> value(double b, Bounded<V> z) const {
    const double margin = leading(z.value) * b;
    const V size = leading(z.value) < 0 ? -z.value : z.value;
    const Bounded<V> e = bounded_exp(-size);
    Bounded<V> sum = bounded_log_one_plus_small(e.value);
    sum.error += e.error;  // the derivative of log(1 + e) is at most 1
    sum = sum + Bounded<V>(margin >= 0 ? V(0.0) : size, 0);
    // |phi'| <= 1, and <= e^-m e^error between
    const double between = (leading(e.value) + e.error) * (1 + 2 * z.error), limited = between < 1 ? between : 1;
    const double right = z.error <= 1 ? limited : 1;
    sum.error += (margin >= 0 ? right : 1) * z.error;
    return sum;
  }

  template <class V>
  [[gnu::always_inline]] Bounded<V> conjugate(double, double y) const {
    return bounded_binary_entropy<V>(std::abs(y));
  }

  // -(the margin whose loss is q) = q + log(1 - e^-q), from above.
  double reach(double q, double, double) const {
    if (q < 0x1p-10) return log_of_positive(std::max(q, 0x1p-1022)) * (1 - 0x1p-40);  // 1 - e^-q <= q
    const double e = exp_of_negative(-q);
    return (q + log_of_positive(1 - e)) + 0x1p-36 * (1 + q);  // 1 - e >= 2^-11 to 2^-39, relative
  }
};

// Of K scores: the block `y` has the y_k of the other classes; that of class b is minus their exact sum `others`.
template <class V>
Bounded<V> block_value(const Softmax& loss, std::size_t b, const Bounded<V>* z) {
  std::size_t most = b;
  double error = 0;
  for (std::size_t k = 0; k < loss.classes; ++k) {
    if (less(z[most].value, z[k].value)) most = k;
    error = std::max(error, z[k].error);
  }
  Bounded<V> others;
  for (std::size_t k = 0; k < loss.classes; ++k) {
    if (k == most) continue;
    const Bounded<V> t = Bounded<V>(z[k].value, 0) - Bounded<V>(z[most].value, 0);
    Bounded<V> e = bounded_exp(t.value);                    // t <= 0
    e.error += 2 * t.error * (leading(e.value) + e.error);  // t.error is below 1e-13 where e^t counts
    others = others + e;
  }
  Bounded<V> sum = bounded_log_one_plus(others.value);
  sum.error += others.error;
  if (most != b) sum = sum + (Bounded<V>(z[most].value, 0) - Bounded<V>(z[b].value, 0));
  // |dphi| <= 2 (1 - p_b) max |dz_k|, and 1 - p_b grows by at most e^(2 error) between.
  const double missed = most == b ? leading(others.value) + others.error : 1;
  sum.error += 2 * (error <= 0.25 ? std::min(1.0, missed * (1 + 8 * error)) : 1) * error;
  return sum;
}

template <class V>
Bounded<V> block_value(const MulticlassHinge& loss, std::size_t b, const Bounded<V>* z) {
  Bounded<V> most;
  for (std::size_t k = 0; k < loss.classes; ++k) {
    if (k == b) continue;
    const Bounded<V> at = (z[k] - z[b]) + Bounded<V>(1.0);
    if (!(size_of(at.value) + at.error < infinity)) return {V(0.0), infinity};  // NaN is not larger than `most`
    if (less(most.value, at.value)) most.value = at.value;
    most.error = std::max(most.error, at.error);
  }
  return most;  // |max - max| <= the largest difference
}

template <class V>
Bounded<V> block_conjugate(const Softmax& loss, std::size_t b, const double* y, Bounded<V> others) {
  Bounded<V> sum;
  for (std::size_t k = 0; k < loss.classes; ++k) {
    if (k == b || y[k] == 0) continue;
    if (y[k] <= 0.5) sum = sum + bounded_entropy(Bounded<V>(y[k]));
    else sum = sum + Bounded<V>(y[k]) * bounded_log_one_minus(V(1 - y[k]));  // 1 - y is exact
  }
  if (leading(others.value) <= 0.5) {  // p_b log p_b = (1 - o) log(1 - o), whose derivative is at most 1 in size here
    const V o = others.value;
    const Bounded<V> exact = (Bounded<V>(1.0) - Bounded<V>(o, 0)) * bounded_log_one_minus(o);
    return sum + Bounded<V>(exact.value, exact.error + others.error);
  }
  return sum + bounded_entropy(Bounded<V>(1.0) - others);
}

template <class V>
Bounded<V> block_conjugate(const MulticlassHinge&, std::size_t, const double*, Bounded<V> others) {
  return -others;
}

}  // namespace seesaw::rigorous
