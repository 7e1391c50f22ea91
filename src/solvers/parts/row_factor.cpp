#include "solvers/parts/row_factor.h"

#include <numeric>

#include "solvers/parts/cholesky.h"
#include "solvers/parts/weighted_gram.h"

namespace seesaw {

Eigen::MatrixXd row_factor(const Problem& problem) {
  std::vector<std::uint32_t> all(problem.d());
  std::iota(all.begin(), all.end(), 0u);
  const std::vector<double> ones(all.size(), 1.0);
  Eigen::MatrixXd k;
  weighted_gram(problem.columns(), all, ones, false, k);  // A A^T is the sum of the columns' outer products
  if (k.trace() == 0) return Eigen::MatrixXd::Zero(k.rows(), k.cols());
  k.diagonal().array() += 1e-14 * k.trace() / static_cast<double>(k.rows());
  Cholesky cholesky;
  cholesky.factor(k);
  return cholesky.factored().matrixL();
}

}  // namespace seesaw
