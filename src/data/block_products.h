// Products of rows with a matrix X that has `outputs` numbers per column of A, x[j stride + k], and the transposed
// products. The outputs are divided into blocks of a compile-time size, so that their sums stay in registers, by loops
// compiled for the level in use. Dense rows of doubles use the matrix product of kernels/dense.h.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <utility>

#include "data/rows.h"
#include "kernels/at_level.h"
#include "kernels/dense.h"

namespace seesaw {

inline constexpr std::size_t max_block_size = 12;

// `Size` numbers in vectors of four, at most one of two and at most one single number: as registers that keep their place
// in a loop over entries. Loops over arrays are not vectorized at -O2.
template <std::size_t Size>
struct BlockNumbers {
  using Four [[gnu::vector_size(32)]] = double;
  using Two [[gnu::vector_size(16)]] = double;
  static constexpr std::size_t fours = Size / 4, pairs = 4 * fours, last = Size - 1;
  static constexpr bool has_two = Size % 4 >= 2, has_one = Size % 2 == 1;

  Four four[fours > 0 ? fours : 1];
  Two two;
  double one;

  [[gnu::always_inline]] void clear() {
    for (std::size_t l = 0; l < fours; ++l) four[l] = Four{};
    two = Two{};
    one = 0;
  }
  [[gnu::always_inline]] void load(const double* from) {
    for (std::size_t l = 0; l < fours; ++l) std::memcpy(&four[l], from + 4 * l, sizeof(Four));
    if constexpr (has_two) std::memcpy(&two, from + pairs, sizeof(Two));
    if constexpr (has_one) one = from[last];
  }
  [[gnu::always_inline]] void store(double* to) const {
    for (std::size_t l = 0; l < fours; ++l) std::memcpy(to + 4 * l, &four[l], sizeof(Four));
    if constexpr (has_two) std::memcpy(to + pairs, &two, sizeof(Two));
    if constexpr (has_one) to[last] = one;
  }
  // += value * numbers
  [[gnu::always_inline]] void add(double value, const BlockNumbers& numbers) {
    for (std::size_t l = 0; l < fours; ++l) four[l] += value * numbers.four[l];
    if constexpr (has_two) two += value * numbers.two;
    if constexpr (has_one) one += value * numbers.one;
  }
};

// The even and the odd entries are summed separately.
template <std::size_t Size, class Row>
[[gnu::always_inline]] inline void dot_block(Row a, const double* x, std::size_t stride, double* z) {
  const auto column = [&](std::size_t at) __attribute__((always_inline))->std::size_t {
    if constexpr (requires { a.column; }) return a.column[at];
    else return at;
  };
  BlockNumbers<Size> even, odd, from;
  even.clear();
  odd.clear();
  std::size_t at = 0;
  for (; at + 2 <= a.size; at += 2) {
    from.load(x + column(at) * stride);
    even.add(static_cast<double>(a.value[at]), from);
    from.load(x + column(at + 1) * stride);
    odd.add(static_cast<double>(a.value[at + 1]), from);
  }
  if (at < a.size) {
    from.load(x + column(at) * stride);
    even.add(static_cast<double>(a.value[at]), from);
  }
  even.add(1, odd);
  even.store(z);
}

template <std::size_t Size, class Row>
[[gnu::always_inline]] inline void add_block(double* v, std::size_t stride, const double* y, Row a) {
  BlockNumbers<Size> scale, to;
  scale.load(y);
  for_each(
      a, [&](std::size_t j, double value) __attribute__((always_inline)) {
        to.load(v + j * stride);
        to.add(value, scale);
        to.store(v + j * stride);
      });
}

template <std::size_t Size>
[[gnu::always_inline]] inline bool all_zero(const double* y) {
  bool zero = true;
  for (std::size_t k = 0; k < Size; ++k) zero &= y[k] == 0;
  return zero;
}

// body(std::integral_constant<std::size_t, Size>, first) for blocks of nearly equal numbers of fours that partition
// 0 .. outputs - 1.
template <class Body>
void for_each_block(std::size_t outputs, const Body& body) {
  const std::size_t blocks = (outputs + max_block_size - 1) / max_block_size, fours = (outputs + 3) / 4;
  for (std::size_t block = 0; block < blocks; ++block) {
    const std::size_t first = 4 * (fours * block / blocks),
                      size = std::min(4 * (fours * (block + 1) / blocks), outputs) - first;
    [&]<std::size_t... At>(std::index_sequence<At...>) {
      static_cast<void>(
          ((size == At + 1 && (body(std::integral_constant<std::size_t, At + 1>{}, first), true)) || ...));
    }
    (std::make_index_sequence<max_block_size>{});
  }
}

struct Range {
  std::size_t begin, end;
};

// z_i = a_i x for a range of rows, and v += sum_i a_i^T y_i.
template <class RowsOf>
void multiply_blocks(const RowsOf& rows, Range range, const double* x, double* z, std::size_t outputs) {
  for_each_block(outputs, [&](auto size, std::size_t k) {
    constexpr std::size_t count = decltype(size)::value;
    at_level([&]() __attribute__((always_inline)) {
      for (std::size_t i = range.begin; i < range.end; ++i)
        dot_block<count>(rows.row(i), x + k, outputs, z + i * outputs + k);
    });
  });
}
template <class RowsOf>
void add_blocks_transposed(const RowsOf& rows, Range range, const double* y, double* v, std::size_t outputs) {
  for_each_block(outputs, [&](auto size, std::size_t k) {
    constexpr std::size_t count = decltype(size)::value;
    at_level([&]() __attribute__((always_inline)) {
      for (std::size_t i = range.begin; i < range.end; ++i)
        if (!all_zero<count>(y + i * outputs + k)) add_block<count>(v + k, outputs, y + i * outputs + k, rows.row(i));
    });
  });
}

// The same for dense rows: Z = X R^T and V += Y R, column-major, with column j of X the outputs of column j of A.
inline void multiply_blocks(const DenseRows<double>& rows, Range range, const double* x, double* z,
                            std::size_t outputs) {
  const std::size_t count = range.end - range.begin, d = rows.width();
  std::fill_n(z + range.begin * outputs, count * outputs, 0.0);
  multiply({outputs, count, d, x, 1, outputs, rows.values().data() + range.begin * d, 1, d, z + range.begin * outputs,
            outputs});
}
inline void add_blocks_transposed(const DenseRows<double>& rows, Range range, const double* y, double* v,
                                  std::size_t outputs) {
  const std::size_t count = range.end - range.begin, d = rows.width();
  multiply({outputs, d, count, y + range.begin * outputs, 1, outputs, rows.values().data() + range.begin * d, d, 1, v,
            outputs});
}

}  // namespace seesaw
