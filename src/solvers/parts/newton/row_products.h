// Products with a subset of the rows, for working sets and faces. In parallel, with the same bits for any number of
// threads.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <span>

#include "data/rows.h"

namespace seesaw {

// The lists of rows are ascending.

// The leaves of a list for sums of numbers over it (base/tree_sum.h).
Leaves leaves_for_numbers(const Rows& rows, std::span<const std::uint32_t> which);

// z_k = a_i.x, i = which[k].
void multiply_rows(const Rows& rows, std::span<const std::uint32_t> which, const double* x, double* z);

// v += sum_k weight_k a_i, i = which[k].
void add_rows(const Rows& rows, std::span<const std::uint32_t> which, std::span<const double> weight, double* v);

// Whether row_gram uses a product of matrices.
bool nearly_dense(const Rows& rows);

// The lower triangle of K: K_kl = a_i.a_j, i = which[k], j = which[l]. Sparse rows: |which|^2/2 products of a sparse row
// with a dense one; dense rows, and sparse ones with density above 0.35: a product of matrices.
void row_gram(const Rows& rows, std::span<const std::uint32_t> which, Eigen::MatrixXd& gram);

}  // namespace seesaw
