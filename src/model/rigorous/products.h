// Products by A and A^T with error bounds, in parallel, the same bits for any number of threads. V = double: rounded
// products; V = Twofold: exact products (Dot2 of Ogita, Rump and Oishi). x and y have K numbers per column and per row.
#pragma once

#include <cstddef>
#include <vector>

#include "data/dataset.h"
#include "model/rigorous/bounded.h"

namespace seesaw::rigorous {

// z[i K + k] = sum_j a_ij x[j K + k]
template <class V>
void multiply(const Rows& rows, const double* x, std::size_t K, std::vector<Bounded<V>>& z);

// q[j K + k] = sum_i a_ij w[i K + k], where each w is known to `relative` of its size.
template <class V>
void multiply_transposed(const Rows& rows, const V* w, double relative, std::size_t K, std::vector<Bounded<V>>& q);

template <class V>
void multiply_transposed(const Rows& rows, const std::vector<V>& w, double relative, std::size_t K,
                         std::vector<Bounded<V>>& q) {
  multiply_transposed(rows, w.data(), relative, K, q);
}

// Both, in one read of the file where the rows are on disk (data/extents.h).
template <class V>
void multiply_both(const Rows& rows, const double* x, std::vector<Bounded<V>>& z, const std::vector<V>& w,
                   double relative, std::size_t K, std::vector<Bounded<V>>& q);

}  // namespace seesaw::rigorous
