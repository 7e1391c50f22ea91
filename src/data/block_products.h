// Products of rows with a matrix X that has `outputs` numbers per column of A, x[j stride + k], and the transposed
// products. The outputs are divided into blocks of a compile-time size, so that their sums stay in registers, by loops
// compiled for the level in use. Dense rows of doubles use the matrix product of kernels/dense.h.
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>

#include "data/rows.h"
#include "kernels/at_level.h"
#include "kernels/dense.h"

namespace seesaw {

inline constexpr std::size_t max_block_size = 12;

template <std::size_t Size, class Row>
[[gnu::always_inline]] inline void dot_block(Row a, const double* x, std::size_t stride, double* z) {
  double sum[Size] = {};
  for_each(
      a, [&](std::size_t j, double value) __attribute__((always_inline)) {
        const double* from = x + j * stride;
        for (std::size_t k = 0; k < Size; ++k) sum[k] += value * from[k];
      });
  for (std::size_t k = 0; k < Size; ++k) z[k] = sum[k];
}

template <std::size_t Size, class Row>
[[gnu::always_inline]] inline void add_block(double* v, std::size_t stride, const double* y, Row a) {
  double scale[Size];
  for (std::size_t k = 0; k < Size; ++k) scale[k] = y[k];
  for_each(
      a, [&](std::size_t j, double value) __attribute__((always_inline)) {
        double* to = v + j * stride;
        for (std::size_t k = 0; k < Size; ++k) to[k] += value * scale[k];
      });
}

template <std::size_t Size>
[[gnu::always_inline]] inline bool all_zero(const double* y) {
  bool zero = true;
  for (std::size_t k = 0; k < Size; ++k) zero &= y[k] == 0;
  return zero;
}

// body(std::integral_constant<std::size_t, Size>, first) for blocks of nearly equal size that partition
// 0 .. outputs - 1.
template <class Body>
void for_each_block(std::size_t outputs, const Body& body) {
  const std::size_t blocks = (outputs + max_block_size - 1) / max_block_size;
  for (std::size_t block = 0; block < blocks; ++block) {
    const std::size_t first = outputs * block / blocks, size = outputs * (block + 1) / blocks - first;
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
