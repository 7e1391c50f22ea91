// q = sum_i s_i y_i a_i = -(sum s) v of a certified dual point, with error bounds. The number of a row's own class of a block
// loss is minus the sum of the others.
#pragma once

#include <type_traits>
#include <vector>

#include "base/parallel.h"
#include "model/rigorous/dual_domain.h"
#include "model/rigorous/products.h"
#include "model/rigorous/row_weights.h"

namespace seesaw::rigorous {

// s_i y_ik: K numbers per row, each known to `relative_error_of_row<V>` of its size.
template <class V>
std::vector<V> weighted_dual(const Problem& problem, const RowWeights& weights, const std::vector<double>& y) {
  const std::size_t n = problem.n(), K = problem.outputs();
  std::vector<V> w(n * K);
  const auto narrow = [](Twofold t) {
    if constexpr (std::is_same_v<V, double>) return t.high;
    else return t;
  };
  parallel_chunks(chunks_of(n), [&](std::size_t, std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const std::size_t own = problem.is_block() ? problem.block().class_of_row[i] : K;
      for (std::size_t k = 0; k < K; ++k)
        w[i * K + k] = weights.times_value(i, k == own ? narrow(-sum_of_others(own, &y[i * K], K)) : V(y[i * K + k]));
    }
  });
  return w;
}
template <class V>
double relative_error_of_row(const RowWeights& weights, std::size_t K) {
  if (K == 1 && weights.all_one()) return 0;  // y itself
  return relative_error_of_others(K) + (std::is_same_v<V, double> ? 4 * unit : 0x1p-100);
}

template <class V>
std::vector<Bounded<V>> image_of(const Problem& problem, const RowWeights& weights,
                                 const std::vector<V>& weighted_dual) {
  const std::size_t K = problem.outputs();
  std::vector<Bounded<V>> q;
  multiply_transposed(problem.data->rows, weighted_dual, relative_error_of_row<V>(weights, K), K, q);
  return q;
}
template <class V>
std::vector<Bounded<V>> image_of_dual(const Problem& problem, const RowWeights& weights, const std::vector<double>& y) {
  return image_of<V>(problem, weights, weighted_dual<V>(problem, weights, y));
}

}  // namespace seesaw::rigorous
