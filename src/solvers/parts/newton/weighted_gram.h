// The matrix of every second-order step: H = sum_i weight_i a_i a_i^T over some of the rows, and, where the intercept
// is free, bordered by the column of ones: a_i becomes (a_i, 1).
//
// Sparse rows scatter their pairs of entries, sum_i r_i^2/2 of them; dense ones (and sparse ones of which more than a
// third is there) go through blocks of rows and a product of matrices, |rows| d^2/2. In parallel over chunks of rows
// cut by their number alone, each with a matrix of its own, added in order: the same bits for any number of threads.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <span>

#include "data/rows.h"

namespace seesaw {

// The lower triangle of H; what stands above the diagonal means nothing. weight[k] belongs to row which[k]; rows of
// weight 0 cost nothing.
void weighted_gram(const Rows& rows, std::span<const std::uint32_t> which, std::span<const double> weight, bool border,
                   Eigen::MatrixXd& h);

}  // namespace seesaw
