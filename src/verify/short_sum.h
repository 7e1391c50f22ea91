// Sums of products to about 106 bits, at a third of the cost of Sum: Dot2 (Ogita, Rump, Oishi 2005) with a running
// error bound.
//
// sum + product = (rounded sum) + s and a b = (rounded product) + p, exactly up to `smallest` if a b underflows. The
// errors t = fl(s + p) are summed in `carry` in double. The error of each t is at most u |t|, that of their sum at most
// (k - 1) u (1 + k u) sum |t|, so that for k <= 2^30
//
//     |truth - (sum + carry)| <= (k + 2) u (1 + 2^-20) size + k smallest,     size: the computed sum of the |t|,
//
// which is at most (k + 2)^2 u^2 sum |a b|, and usually far less, in any order of the additions. Two such sums are added in
// the same way, with one term t for the error of their sum. With two terms per factor (its parts), and fewer additions of
// sums than factors, k = 3 (factors). Overflow gives NaN.
#pragma once

#include <cstddef>
#include <vector>

#include "verify/sum.h"

namespace seesaw::verifier {

SEESAW_INLINE void add_product_to(double a, double b, double& sum, double& carry, double& size) {
  const Pair p = two_product(a, b), s = two_sum(sum, p.high);
  const double t = s.low + p.low;
  sum = s.high;
  carry += t;
  size += std::abs(t);
}
// Adds the low part of a factor as a separate term, with rounding error u |a low|, and the factor's radius.
SEESAW_INLINE void add_low_part(double a, double low, double of_factor, double& carry, double& size, double& radius) {
  const double t = a * low;
  carry += t;
  size += std::abs(t);
  radius += std::abs(a) * of_factor;
}
SEESAW_INLINE bool has_low_part(const Ball& w) { return w.low != 0 || w.radius != 0; }
SEESAW_INLINE double radius_of_factor(const Ball& w) { return rounded_up(w.radius + 0x1p-53 * std::abs(w.low)); }

struct ShortSum {
  double sum = 0, carry = 0, size = 0, radius = 0;

  SEESAW_INLINE void add_product(double a, double b) { add_product_to(a, b, sum, carry, size); }
  SEESAW_INLINE void add_product(double a, const Ball& w) {
    add_product(a, w.high);
    if (has_low_part(w)) add_low_part(a, w.low, radius_of_factor(w), carry, size, radius);
  }
  ShortSum& operator+=(const ShortSum& other) {  // of base/tree_sum.h
    const Pair s = two_sum(sum, other.sum);
    sum = s.high;
    carry = (carry + other.carry) + s.low;
    size = (size + other.size) + std::abs(s.low);
    radius += other.radius;
    return *this;
  }
  // `terms`: the number of factors added, each with at most one low part.
  SEESAW_INLINE Ball value(double terms) const {
    if (terms == 0) return {};
    const double k = 3 * terms + 2;
    return {two_sum(sum, carry),
            rounded_up(k * (0x1p-53 * (1 + 0x1p-20)) * size + radius * (1 + 0x1p-20) + k * smallest)};
  }
};

inline constexpr std::size_t dense_lanes = 8;

// a.x + b: eight lanes (sparse: four), each with at most count/lanes + 1 terms, combined by Sum and its error bound.
template <std::size_t lanes, class Product>
SEESAW_INLINE Ball score_in_lanes(std::size_t count, double b, const Product& add_product) {
  double sum[lanes] = {}, carry[lanes] = {}, size[lanes] = {};
  std::size_t at = 0;
  for (; at + lanes <= count; at += lanes)
    for (std::size_t l = 0; l < lanes; ++l) add_product(at + l, sum[l], carry[l], size[l]);
  for (std::size_t l = 0; at < count; ++at, ++l) add_product(at, sum[l], carry[l], size[l]);
  Sum z{.first = b};
  double errors = 0;
  for (std::size_t l = 0; l < lanes; ++l) {
    z.add(sum[l]);
    z.add_to_second(carry[l]);
    errors += size[l];
  }
  const auto additions = count / lanes + 4;
  const auto k = static_cast<double>(additions);
  z.radius = rounded_up(k * (0x1p-53 * (1 + 0x1p-20)) * errors + static_cast<double>(count) * smallest);
  return z.value(2 * lanes);
}
template <class Row>
SEESAW_INLINE Ball short_score(Row a, const double* x, double b) {
  if constexpr (requires { a.column; }) {
    return score_in_lanes<4>(
        a.size, b, [&](std::size_t at, double& sum, double& carry, double& size) __attribute__((always_inline)) {
          add_product_to(static_cast<double>(a.value[at]), x[a.column[at]], sum, carry, size);
        });
  } else {
    return score_in_lanes<dense_lanes>(
        a.size, b, [&](std::size_t at, double& sum, double& carry, double& size) __attribute__((always_inline)) {
          add_product_to(static_cast<double>(a.value[at]), x[at], sum, carry, size);
        });
  }
}

// |a|^2
template <class Row>
SEESAW_INLINE Ball short_square(Row a) {
  constexpr std::size_t lanes = requires { a.column; }
  ? 4 : dense_lanes;
  return score_in_lanes<lanes>(
      a.size, 0, [&](std::size_t at, double& sum, double& carry, double& size) __attribute__((always_inline)) {
        const auto value = static_cast<double>(a.value[at]);
        add_product_to(value, value, sum, carry, size);
      });
}

// sum_i w_i a_ij of contiguous columns j: one array per member of ShortSum, and `most_rows` rows per pass, so that the
// loops are vectorized and the sums stay in registers. The bits are those of ShortSum::add_product row by row: they do not
// depend on how the rows are divided into calls.
template <class Value>
class DenseColumnSums {
 public:
  // Sum j is sums[j stride]; store() writes them back.
  DenseColumnSums(ShortSum* sums, std::size_t columns, std::size_t stride)
      : sums_(sums), stride_(stride), sum_(columns), carry_(columns), size_(columns), radius_(columns) {
    for (std::size_t j = 0; j < columns; ++j) {
      sum_[j] = sums[j * stride].sum;
      carry_[j] = sums[j * stride].carry;
      size_[j] = sums[j * stride].size;
      radius_[j] = sums[j * stride].radius;
    }
  }

  SEESAW_INLINE void add(const Value* a, const Ball& w) {
    row_[rows_] = a;
    weight_[rows_] = w;
    low_parts_ = low_parts_ || has_low_part(w);
    if (++rows_ == most_rows) add_rows();
  }
  SEESAW_INLINE void store() {
    add_rows();
    for (std::size_t j = 0; j < sum_.size(); ++j) sums_[j * stride_] = {sum_[j], carry_[j], size_[j], radius_[j]};
  }

 private:
  static constexpr std::size_t most_rows = 8;

  SEESAW_INLINE void add_rows() {
    if (low_parts_) add_all_columns<true>();
    else add_all_columns<false>();
    rows_ = 0;
    low_parts_ = false;
  }
  template <bool low_parts>
  SEESAW_INLINE void add_all_columns() {
    const std::size_t columns = sum_.size(), whole = columns - columns % dense_lanes;
    for (std::size_t j = 0; j < whole; j += dense_lanes) add_columns<dense_lanes, low_parts>(j);
    for (std::size_t j = whole; j < columns; ++j) add_columns<1, low_parts>(j);
  }
  template <std::size_t lanes, bool low_parts>
  SEESAW_INLINE void add_columns(std::size_t j) {
    double sum[lanes], carry[lanes], size[lanes], radius[lanes];
    for (std::size_t l = 0; l < lanes; ++l) {
      sum[l] = sum_[j + l];
      carry[l] = carry_[j + l];
      size[l] = size_[j + l];
      radius[l] = radius_[j + l];
    }
    for (std::size_t i = 0; i < rows_; ++i) {
      const Value* const a = row_[i] + j;
      const Ball w = weight_[i];
      for (std::size_t l = 0; l < lanes; ++l)
        add_product_to(static_cast<double>(a[l]), w.high, sum[l], carry[l], size[l]);
      if constexpr (low_parts) {  // a row without one adds 0
        const double of_factor = radius_of_factor(w);
        for (std::size_t l = 0; l < lanes; ++l)
          add_low_part(static_cast<double>(a[l]), w.low, of_factor, carry[l], size[l], radius[l]);
      }
    }
    for (std::size_t l = 0; l < lanes; ++l) {
      sum_[j + l] = sum[l];
      carry_[j + l] = carry[l];
      size_[j + l] = size[l];
      if constexpr (low_parts) radius_[j + l] = radius[l];
    }
  }

  ShortSum* sums_;
  std::size_t stride_;
  const Value* row_[most_rows] = {};
  Ball weight_[most_rows];
  std::size_t rows_ = 0;
  bool low_parts_ = false;
  std::vector<double> sum_, carry_, size_, radius_;
};

}  // namespace seesaw::verifier
