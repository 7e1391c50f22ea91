// a.x of one row in double, with a bound of its error. In lanes, so that every product goes through few additions: one
// rounding of the product, and one per addition but the first of each lane, which adds to 0.
#pragma once

#include <cmath>
#include <cstddef>

#include "data/rows.h"
#include "model/rigorous/bounded.h"
#include "model/rigorous/eight.h"

namespace seesaw::rigorous {

// x for the scores of dense rows. The last eight columns of a row are one vector, whatever the width: of those that an
// earlier vector has, x counts as 0.
class DenseScores {
 public:
  DenseScores(const double* x, std::size_t d) : x_(x), d_(d) {
    for (std::size_t j = d / 8 * 8; d >= 8 && j < d; ++j) last_[j + 8 - d] = x[j];
  }

  template <class Value>
  [[gnu::always_inline]] Bounded<double> operator()(DenseRow<Value> a) const {
    double value = 0, size = 0;
    if (d_ >= 8) {
      Eight s = {}, t = {}, of_row, of_x;
      std::size_t j = 0;
      for (; j + 8 <= d_; j += 8) {
        load(a.value + j, of_row);
        load(x_ + j, of_x);
        const Eight product = of_row * of_x;
        s += product;
        add_sizes(product, t);
      }
      if (j < d_) {
        load(a.value + (d_ - 8), of_row);
        load(last_, of_x);
        const Eight product = of_row * of_x;
        s += product;
        add_sizes(product, t);
      }
      value = ((s[0] + s[4]) + (s[2] + s[6])) + ((s[1] + s[5]) + (s[3] + s[7]));
      size = ((t[0] + t[4]) + (t[2] + t[6])) + ((t[1] + t[5]) + (t[3] + t[7]));
    } else {
      for (std::size_t j = 0; j < d_; ++j) {
        const double product = static_cast<double>(a.value[j]) * x_[j];
        value += product;
        size += std::abs(product);
      }
    }
    const auto roundings = static_cast<double>(d_ >= 8 ? (d_ + 7) / 8 + 3 : d_);
    return {value, roundings * unit * size + underflow};
  }

 private:
  const double* x_;
  std::size_t d_;
  double last_[8] = {};
};

template <class Value, class Column>
[[gnu::always_inline]] inline Bounded<double> score(SparseRow<Value, Column> a, const double* x) {
  constexpr std::size_t lanes = 4;
  double s[lanes] = {}, t[lanes] = {};
  std::size_t k = 0;
  for (; k + lanes <= a.size; k += lanes)
    for (std::size_t l = 0; l < lanes; ++l) {
      const double product = static_cast<double>(a.value[k + l]) * x[a.column[k + l]];
      s[l] += product;
      t[l] += std::abs(product);
    }
  const auto add = [&](std::size_t l) __attribute__((always_inline)) {  // not a loop: the lanes stay in registers
    const double product = static_cast<double>(a.value[k + l]) * x[a.column[k + l]];
    s[l] += product;
    t[l] += std::abs(product);
  };
  if (k < a.size) add(0);
  if (k + 1 < a.size) add(1);
  if (k + 2 < a.size) add(2);
  const double size = (t[0] + t[1]) + (t[2] + t[3]);
  const std::size_t roundings = (a.size + lanes - 1) / lanes + 2;
  return {(s[0] + s[1]) + (s[2] + s[3]), static_cast<double>(roundings) * unit * size + underflow};
}

class SparseScores {
 public:
  SparseScores(const double* x, std::size_t) : x_(x) {}
  template <class Row>
  [[gnu::always_inline]] Bounded<double> operator()(Row a) const {
    return score(a, x_);
  }

 private:
  const double* x_;
};

template <class Value>
DenseScores scores_by(const DenseRows<Value>& rows, const double* x) {
  return {x, rows.width()};
}
template <class RowsOf>
SparseScores scores_by(const RowsOf&, const double* x) {
  return {x, 0};
}

}  // namespace seesaw::rigorous
