// Products of one row with a matrix W that has `stride` contiguous numbers per feature, a multiple of four: the K numbers
// of the classes and zeros. The sums of up to 24 classes stay in registers; at_level (kernels/at_level.h) compiles the
// loops for the level in use, with the same bits at each.
#pragma once

#include <cstddef>
#include <cstring>

#include "data/rows.h"
#include "kernels/at_level.h"

namespace seesaw {

inline constexpr std::size_t block_lanes = 4;
inline std::size_t padded_classes(std::size_t classes) {
  return (classes + block_lanes - 1) / block_lanes * block_lanes;
}

namespace block_rows {

using Four [[gnu::vector_size(32)]] = double;
inline constexpr std::size_t most_vectors = 6;

[[gnu::always_inline]] inline void load(const double* from, Four& to) { std::memcpy(&to, from, sizeof to); }
[[gnu::always_inline]] inline void store(const Four& from, double* to) { std::memcpy(to, &from, sizeof from); }

template <class Value, class Column>
[[gnu::always_inline]] inline std::size_t column(SparseRow<Value, Column> a, std::size_t at) {
  return a.column[at];
}
template <class Value>
[[gnu::always_inline]] inline std::size_t column(DenseRow<Value>, std::size_t at) {
  return at;
}

// z += a W for 4 `vectors` classes: the even and the odd entries are summed separately.
template <std::size_t vectors, class Row>
[[gnu::always_inline]] inline void add_scores(Row a, const double* w, std::size_t stride, double* z) {
  Four even[vectors], odd[vectors] = {}, one;
  for (std::size_t l = 0; l < vectors; ++l) load(z + 4 * l, even[l]);
  const auto add = [&](std::size_t at, Four * sum) __attribute__((always_inline)) {
    const double value = static_cast<double>(a.value[at]);
    const double* const from = w + column(a, at) * stride;
    for (std::size_t l = 0; l < vectors; ++l) {
      load(from + 4 * l, one);
      sum[l] += value * one;
    }
  };
  std::size_t at = 0;
  for (; at + 2 <= a.size; at += 2) {
    add(at, even);
    add(at + 1, odd);
  }
  if (at < a.size) add(at, even);
  for (std::size_t l = 0; l < vectors; ++l) {
    even[l] += odd[l];
    store(even[l], z + 4 * l);
  }
}

// W -= a^T block for 4 `vectors` classes.
template <std::size_t vectors, class Row>
[[gnu::always_inline]] inline void subtract(Row a, const double* block, std::size_t stride, double* w) {
  Four of_row[vectors], one;
  for (std::size_t l = 0; l < vectors; ++l) load(block + 4 * l, of_row[l]);
  for (std::size_t at = 0; at < a.size; ++at) {
    const double value = static_cast<double>(a.value[at]);
    double* const to = w + column(a, at) * stride;
    for (std::size_t l = 0; l < vectors; ++l) {
      load(to + 4 * l, one);
      one -= value * of_row[l];
      store(one, to + 4 * l);
    }
  }
}

// body(integral constant: vectors, first class) for blocks of at most most_vectors vectors.
template <class Body>
[[gnu::always_inline]] inline void in_blocks(std::size_t stride, const Body& body) {
  for (std::size_t first = 0; first < stride; first += 4 * most_vectors) switch ((stride - first) / 4) {
      case 1:
        body(std::integral_constant<std::size_t, 1>(), first);
        break;
      case 2:
        body(std::integral_constant<std::size_t, 2>(), first);
        break;
      case 3:
        body(std::integral_constant<std::size_t, 3>(), first);
        break;
      case 4:
        body(std::integral_constant<std::size_t, 4>(), first);
        break;
      case 5:
        body(std::integral_constant<std::size_t, 5>(), first);
        break;
      default:
        body(std::integral_constant<std::size_t, most_vectors>(), first);
        break;
    }
}

}  // namespace block_rows

// z += a W, stride numbers.
template <class Row>
void add_block_scores(Row a, const double* w, std::size_t stride, double* z) {
  at_level([=]() __attribute__((always_inline)) {
    block_rows::in_blocks(
        stride, [=](auto vectors, std::size_t first) __attribute__((always_inline)) {
          block_rows::add_scores<decltype(vectors)::value>(a, w + first, stride, z + first);
        });
  });
}

// W -= a^T block
template <class Row>
void subtract_block(Row a, const double* block, std::size_t stride, double* w) {
  at_level([=]() __attribute__((always_inline)) {
    block_rows::in_blocks(
        stride, [=](auto vectors, std::size_t first) __attribute__((always_inline)) {
          block_rows::subtract<decltype(vectors)::value>(a, block + first, stride, w + first);
        });
  });
}

}  // namespace seesaw
