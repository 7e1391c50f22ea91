// L of A A^T = L L^T, n x n. The diagonal is increased by 1e-14 of its mean, so that a factor exists with repeated and
// empty rows; L = 0 if A = 0. In parallel, with the same bits for any number of threads.
//
// Costs sum_j (entries of column j)^2 / 2, or n^2 d / 2 for dense data, A^T in memory, and n^3 / 6.
#pragma once

#include <Eigen/Core>

#include "model/problem.h"

namespace seesaw {

Eigen::MatrixXd row_factor(const Problem& problem);

}  // namespace seesaw
