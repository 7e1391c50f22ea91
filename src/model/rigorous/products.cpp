#include "model/rigorous/products.h"

#include <algorithm>
#include <cmath>

#include "base/buffer.h"
#include "base/cancel.h"
#include "base/tree_sum.h"
#include "data/column_ranges.h"
#include "data/resident.h"
#include "kernels/at_level.h"
#include "model/rigorous/block_sums.h"
#include "model/rigorous/row_scores.h"

namespace seesaw::rigorous {
namespace {

// What n products, each added with compensation, have come to.
struct Accumulator {
  double sum = 0, carry = 0, size = 0;

  [[gnu::always_inline]] void add(double weight, double a) {
    const double product = weight * a;
    const Twofold s = two_sum(sum, product);
    sum = s.high;
    carry += s.low;
    size += std::abs(product);
  }
  [[gnu::always_inline]] void add(Twofold weight, double a) {
    const double rounded = weight.high * a;  // fused: exact but for 2^-1074, and the same bits at every level
    const Twofold product{rounded, __builtin_fma(weight.high, a, -rounded)}, s = two_sum(sum, product.high);
    sum = s.high;
    carry += s.low + (product.low + weight.low * a);
    size += std::abs(product.high);
  }
  Accumulator& operator+=(const Accumulator& other) {
    const Twofold s = two_sum(sum, other.sum);
    sum = s.high;
    carry += s.low + other.carry;
    size += other.size;
    return *this;
  }
};

// The carries of k additions sum to at most k u size, and their own additions lose k u of that. Rounded products have
// lost u each, exact ones 2^-102 where the weight has a low part.
Bounded<double> read(const Accumulator& of, double k, double relative, double) {
  const double value = of.sum + of.carry;
  return {value, (2 * k * k * unit * unit + unit + relative) * of.size + unit * std::abs(value) + k * underflow};
}
Bounded<Twofold> read(const Accumulator& of, double k, double relative, Twofold) {
  return {two_sum(of.sum, of.carry), (2 * k * k * unit * unit + 0x1p-102 + relative) * of.size + k * underflow};
}

// for_each, inlined by force: what is compiled for a level must be.
template <class Row, class Visit>
[[gnu::always_inline]] inline void each_entry(Row a, const Visit& visit) {
  for (std::size_t at = 0; at < a.size; ++at) {
    if constexpr (requires { a.column; }) visit(std::size_t{a.column[at]}, static_cast<double>(a.value[at]));
    else visit(at, static_cast<double>(a.value[at]));
  }
}

template <class Row>
[[gnu::always_inline]] inline Bounded<Twofold> fine_score(Row a, const double* x) {
  Accumulator sum;
  each_entry(
      a, [&](std::size_t j, double value) __attribute__((always_inline)) { sum.add(Twofold(value), x[j]); });
  return read(sum, static_cast<double>(a.size) + 4, 0, Twofold());
}

// K scores of one row.
template <class V, class Row>
[[gnu::always_inline]] inline void scores_of(Row a, const double* x, std::size_t K, Bounded<V>* z,
                                             std::vector<Accumulator>& sums) {
  std::fill(sums.begin(), sums.end(), Accumulator());
  each_entry(
      a, [&](std::size_t j, double value) __attribute__((always_inline)) {
        const double* from = x + j * K;
        for (std::size_t k = 0; k < K; ++k) sums[k].add(V(value), from[k]);
      });
  for (std::size_t k = 0; k < K; ++k) z[k] = read(sums[k], static_cast<double>(a.size) + 4, 0, V());
}

std::size_t width_of(const Rows& rows) {
  return std::visit([](const auto& a) { return a.width(); }, rows);
}

// x with K padded to whole vectors.
std::vector<double> padded(const double* x, std::size_t rows, std::size_t K) {
  const std::size_t stride = block_lanes * vectors_of(K);
  std::vector<double> all(rows * stride);
  for (std::size_t j = 0; j < rows; ++j) std::copy_n(x + j * K, K, all.data() + j * stride);
  return all;
}

// The K scores of one row, rounded products; x is padded.
template <class Row>
[[gnu::always_inline]] inline void rounded_scores_of(Row a, const double* x, std::size_t K, Bounded<double>* z) {
  const std::size_t vectors = vectors_of(K);
  in_blocks(
      vectors, [&](auto count, std::size_t first) __attribute__((always_inline)) {
        constexpr std::size_t size = decltype(count)::value;
        FourRegisters sums[size];
        for (std::size_t l = 0; l < size; ++l) sums[l].clear();
        each_entry(
            a, [&](std::size_t j, double value) __attribute__((always_inline)) {
              const double* const from = x + block_lanes * (j * vectors + first);
              for (std::size_t l = 0; l < size; ++l) {
                Four one;
                load(from + block_lanes * l, one);
                sums[l].add(value * one);
              }
            });
        for (std::size_t l = 0; l < size; ++l) {
          FourSums of;
          sums[l].write(of);
          for (std::size_t lane = 0; lane < block_lanes; ++lane) {
            const std::size_t k = block_lanes * (first + l) + lane;
            if (k < K)
              z[k] = read({of.sum[lane], of.carry[lane], of.size[lane]}, static_cast<double>(a.size) + 4, 0, 0.0);
          }
        }
      });
}

// to += a^T w for the K numbers w of one row; to is padded. Numbers that are all 0 change nothing.
template <class Row>
[[gnu::always_inline]] inline void add_rounded(Row a, const double* w, std::size_t K, FourSums* to) {
  const std::size_t vectors = vectors_of(K);
  bool zero = true;
  for (std::size_t k = 0; k < K; ++k) zero &= w[k] == 0;
  if (zero) return;
  for (std::size_t l = 0; l < vectors; ++l) {
    double weights[block_lanes] = {};
    for (std::size_t k = block_lanes * l; k < K && k < block_lanes * (l + 1); ++k) weights[k % block_lanes] = w[k];
    Four weight;
    load(weights, weight);
    each_entry(
        a, [&](std::size_t j, double value) __attribute__((always_inline)) {
          FourRegisters sums;
          sums.read(to[j * vectors + l]);
          sums.add(weight * value);
          sums.write(to[j * vectors + l]);
        });
  }
}

// to[j] += sum_i w_i a_ij over the rows begin .. end - 1, for `columns` columns from j on: their sums stay in registers.
// The operations of each column are those of Accumulator::add, in the order of the rows. The first `known` columns are
// computed but not stored: they have their sums already.
template <std::size_t columns, class V, class Value>
[[gnu::always_inline]] inline void add_columns(const DenseRows<Value>& rows, std::size_t begin, std::size_t end,
                                               std::size_t j, const V* w, Accumulator* to, std::size_t known = 0) {
  double sum[columns], carry[columns], size[columns];
  for (std::size_t l = 0; l < columns; ++l) {
    sum[l] = to[j + l].sum;
    carry[l] = to[j + l].carry;
    size[l] = to[j + l].size;
  }
  for (std::size_t i = begin; i < end; ++i) {
    const V weight = w[i];
    if (leading(weight) == 0) continue;
    const Value* const a = rows.row(i).value + j;
    for (std::size_t l = 0; l < columns; ++l) {
      Accumulator one{sum[l], carry[l], size[l]};
      one.add(weight, static_cast<double>(a[l]));
      sum[l] = one.sum;
      carry[l] = one.carry;
      size[l] = one.size;
    }
  }
  for (std::size_t l = known; l < columns; ++l) to[j + l] = {sum[l], carry[l], size[l]};
}

// The same for 8 `vectors` columns, in double.
template <std::size_t vectors, class Value>
[[gnu::always_inline]] inline void add_eights(const DenseRows<Value>& rows, std::size_t begin, std::size_t end,
                                              std::size_t j, const double* w, Accumulator* to, std::size_t known = 0) {
  Eight sum[vectors] = {}, carry[vectors] = {}, size[vectors] = {};
  for (std::size_t l = 0; l < 8 * vectors; ++l) {
    sum[l / 8][l % 8] = to[j + l].sum;
    carry[l / 8][l % 8] = to[j + l].carry;
    size[l / 8][l % 8] = to[j + l].size;
  }
  for (std::size_t i = begin; i < end; ++i) {
    const double weight = w[i];
    if (weight == 0) continue;
    const Value* const a = rows.row(i).value + j;
    for (std::size_t k = 0; k < vectors; ++k) {
      Eight of_row;
      load(a + 8 * k, of_row);
      const Eight product = weight * of_row;
      add_term(product, sum[k], carry[k]);
      add_sizes(product, size[k]);
    }
  }
  for (std::size_t l = known; l < 8 * vectors; ++l)
    to[j + l] = {sum[l / 8][l % 8], carry[l / 8][l % 8], size[l / 8][l % 8]};
}
template <std::size_t vectors, class Value>
[[gnu::always_inline]] inline void add_eights(const DenseRows<Value>& rows, std::size_t begin, std::size_t end,
                                              std::size_t j, const Twofold* w, Accumulator* to, std::size_t known = 0) {
  add_columns<8 * vectors>(rows, begin, end, j, w, to, known);
}

// The same for all columns of dense rows, as many rows at a time as stay in the first cache.
template <class V, class Value>
[[gnu::always_inline]] inline void add_dense(const DenseRows<Value>& rows, std::size_t first, std::size_t last,
                                             const V* w, Accumulator* to) {
  constexpr std::size_t cache = 16384;
  const std::size_t d = rows.width(), together = std::max<std::size_t>(cache / (sizeof(Value) * (d + 1)), 8);
  for (std::size_t begin = first; begin < last; begin += together) {
    const std::size_t end = std::min(begin + together, last);
    std::size_t j = 0;
    for (; j + 16 <= d; j += 16) add_eights<2>(rows, begin, end, j, w, to);
    for (; j + 8 <= d; j += 8) add_eights<1>(rows, begin, end, j, w, to);
    if (d < 8)
      for (; j < d; ++j) add_columns<1>(rows, begin, end, j, w, to);
    else if (j < d) add_eights<1>(rows, begin, end, d - 8, w, to, 8 - (d - j));
  }
}

// The scores of the rows begin .. end - 1; x is padded for K > 1 rounded ones.
template <class V, class RowsOf>
void scores_of_rows(const RowsOf& a, std::size_t begin, std::size_t end, const double* x, std::size_t K,
                    Bounded<V>* z) {
  if constexpr (std::is_same_v<V, double>)
    if (K > 1) {  // x is padded
      at_level([&]() __attribute__((always_inline)) {
        for (std::size_t i = begin; i < end; ++i) rounded_scores_of(a.row(i), x, K, &z[i * K]);
      });
      return;
    }
  std::vector<Accumulator> sums(K);
  at_level([&]() __attribute__((always_inline)) {
    if (K > 1) {
      for (std::size_t i = begin; i < end; ++i) scores_of(a.row(i), x, K, &z[i * K], sums);
    } else if constexpr (std::is_same_v<V, double>) {
      const auto score = scores_by(a, x);
      for (std::size_t i = begin; i < end; ++i) z[i] = score(a.row(i));
    } else {
      for (std::size_t i = begin; i < end; ++i) z[i] = fine_score(a.row(i), x);
    }
  });
}

// q = A^T w for K > 1 numbers per row, rounded products; as sum_transposed.
template <class RowsOf, class Also>
void sum_rounded(const RowsOf& a, const double* w, double relative, std::size_t K, std::vector<Bounded<double>>& q,
                 const Also& also) {
  const std::size_t vectors = vectors_of(K);
  const Leaves leaves = leaves_for_vectors(a);
  std::vector<FourSums> sums(a.width() * vectors);
  const CancelPoll poll;
  tree_sum(leaves, sums.size(), sums.data(), [&](std::size_t begin, std::size_t end, FourSums* to) {
    poll();
    resident(a, begin, end, [&](std::size_t first, std::size_t last) {
      also(a, first, last);
      in_column_ranges(a, RowRange{first, last}, leaves.count(), [&](const auto& part) {
        at_level([&]() __attribute__((always_inline)) {
          for (std::size_t i = first; i < last; ++i) add_rounded(part.row(i), w + i * K, K, to);
        });
      });
    });
  });
  q.resize(a.width() * K);
  const double count = static_cast<double>(all_rows(a)) + 2 * static_cast<double>(leaves.nodes()) + 4;
  parallel_chunks(chunks_of(a.width(), 1024), [&](std::size_t, std::size_t begin, std::size_t end) {
    for (std::size_t j = begin; j < end; ++j)
      for (std::size_t k = 0; k < K; ++k) {
        const FourSums& of = sums[j * vectors + k / block_lanes];
        const std::size_t lane = k % block_lanes;
        q[j * K + k] = read({of.sum[lane], of.carry[lane], of.size[lane]}, count, relative, 0.0);
      }
  });
}

// q = A^T w; also(rows, begin, end) for all rows, while they are resident. Every product goes through at most the additions
// of its group and one per level of the tree.
template <class V, class Also>
void sum_transposed(const Rows& rows, const V* w, double relative, std::size_t K, std::vector<Bounded<V>>& q,
                    const Also& also) {
  std::visit(
      [&](const auto& a) {
        if constexpr (std::is_same_v<V, double>)
          if (K > 1) return sum_rounded(a, w, relative, K, q, also);
        const std::size_t d = a.width() * K;
        const Leaves leaves = leaves_for_vectors(a);
        Buffer<Accumulator> sums(d);
        const CancelPoll poll;
        tree_sum(leaves, d, sums.data(), [&](std::size_t begin, std::size_t end, Accumulator* to) {
          poll();
          resident(a, begin, end, [&](std::size_t first, std::size_t last) {
            also(a, first, last);
            in_column_ranges(a, RowRange{first, last}, leaves.count(), [&](const auto& part) {
              at_level([&]() __attribute__((always_inline)) {
                if constexpr (
                    requires { part.values(); } && !requires { part.offsets(); })
                  if (K == 1) return add_dense(part, first, last, w, to);
                for (std::size_t i = first; i < last; ++i) {
                  if (K == 1) {
                    const V weight = w[i];
                    if (leading(weight) == 0) continue;
                    each_entry(
                        part.row(i), [&](std::size_t j, double value)
                                         __attribute__((always_inline)) { to[j].add(weight, value); });
                  } else {
                    each_entry(
                        part.row(i), [&](std::size_t j, double value) __attribute__((always_inline)) {
                          for (std::size_t k = 0; k < K; ++k) to[j * K + k].add(w[i * K + k], value);
                        });
                  }
                }
              });
            });
          });
        });
        q.resize(d);
        const double k = static_cast<double>(all_rows(a)) + 2 * static_cast<double>(leaves.nodes()) + 4;
        parallel_chunks(chunks_of(d, 4096), [&](std::size_t, std::size_t begin, std::size_t end) {
          for (std::size_t j = begin; j < end; ++j) q[j] = read(sums[j], k, relative, V());
        });
      },
      rows);
}

}  // namespace

template <class V>
void multiply(const Rows& rows, const double* x, std::size_t K, std::vector<Bounded<V>>& z) {
  std::vector<double> all;
  if (std::is_same_v<V, double> && K > 1) {
    all = padded(x, width_of(rows), K);
    x = all.data();
  }
  std::visit(
      [&](const auto& a) {
        z.resize(a.count() * K);
        const CancelPoll poll;
        resident_chunks(a, chunks_of(a.count(), rows_per_task(a) / 2, 1024), [&](std::size_t begin, std::size_t end) {
          poll();
          scores_of_rows(a, begin, end, x, K, z.data());
        });
      },
      rows);
}

template <class V>
void multiply_transposed(const Rows& rows, const V* w, double relative, std::size_t K, std::vector<Bounded<V>>& q) {
  sum_transposed(rows, w, relative, K, q, [](const auto&, std::size_t, std::size_t) {});
}

template <class V>
void multiply_both(const Rows& rows, const double* x, std::vector<Bounded<V>>& z, const std::vector<V>& w,
                   double relative, std::size_t K, std::vector<Bounded<V>>& q) {
  std::vector<double> all;
  if (std::is_same_v<V, double> && K > 1) {
    all = padded(x, width_of(rows), K);
    x = all.data();
  }
  z.resize(std::visit([](const auto& a) { return a.count(); }, rows) * K);
  sum_transposed(rows, w.data(), relative, K, q, [&](const auto& a, std::size_t begin, std::size_t end) {
    scores_of_rows(a, begin, end, x, K, z.data());
  });
}

template void multiply(const Rows&, const double*, std::size_t, std::vector<Bounded<double>>&);
template void multiply(const Rows&, const double*, std::size_t, std::vector<Bounded<Twofold>>&);
template void multiply_transposed(const Rows&, const double*, double, std::size_t, std::vector<Bounded<double>>&);
template void multiply_transposed(const Rows&, const Twofold*, double, std::size_t, std::vector<Bounded<Twofold>>&);
template void multiply_both(const Rows&, const double*, std::vector<Bounded<double>>&, const std::vector<double>&,
                            double, std::size_t, std::vector<Bounded<double>>&);
template void multiply_both(const Rows&, const double*, std::vector<Bounded<Twofold>>&, const std::vector<Twofold>&,
                            double, std::size_t, std::vector<Bounded<Twofold>>&);

}  // namespace seesaw::rigorous
