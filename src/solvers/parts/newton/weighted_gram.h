// The matrix of second-order steps: H = sum_i weight_i a_i a_i^T over a subset of the rows, bordered by the column of
// ones for a free intercept: a_i becomes (a_i, 1).
//
// Sparse rows scatter their pairs of entries, sum_i r_i^2/2 of them; dense rows, and sparse ones with density above 0.3,
// use blocks of rows and a product of matrices, |rows| d^2/2. Groups of leaves have a matrix each, joined along the tree
// of the leaves; threads divide the matrix of a group into tiles if the groups are few or the matrices large. The same
// bits for any number of threads.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <span>

#include "data/rows.h"

namespace seesaw {

// The lower triangle of H; entries above the diagonal are undefined. weight[k] is the weight of row which[k], which
// are ascending; rows of weight 0 are skipped.
void weighted_gram(const Rows& rows, std::span<const std::uint32_t> which, std::span<const double> weight, bool border,
                   Eigen::MatrixXd& h);

// The same with another column behind the border: a_i becomes (a_i, 1, t_i), t one number per listed row, in the same read
// of the rows. one_weight: whether all weights are known to be the same. Returns a bound on the additions that a product
// goes through, the same on all ranks.
double weighted_gram_with(std::span<const double> t, const Rows& rows, std::span<const std::uint32_t> which,
                          std::span<const double> weight, bool one_weight, bool border, Eigen::MatrixXd& h);

}  // namespace seesaw
