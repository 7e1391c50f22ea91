// L of A A^T = L L^T, n x n: the products of all rows with each other, lifted by 1e-14 of their mean diagonal, so that
// repeated and empty rows have a factor too; 0 where A is. In parallel, with the same bits for any number of threads.
//
// Costs sum_j (entries of column j)^2 / 2, or n^2 d / 2 for dense data, A^T in memory, and n^3 / 6.
#pragma once

#include <Eigen/Core>

#include "model/problem.h"

namespace seesaw {

Eigen::MatrixXd row_factor(const Problem& problem);

}  // namespace seesaw
