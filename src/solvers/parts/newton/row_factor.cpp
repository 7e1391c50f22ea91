#include "solvers/parts/newton/row_factor.h"

#include <numeric>
#include <vector>

#include "base/stop.h"
#include "solvers/parts/newton/cholesky.h"
#include "solvers/parts/newton/row_products.h"
#include "solvers/parts/newton/weighted_gram.h"

namespace seesaw {
namespace {

std::vector<std::uint32_t> first(std::size_t count) {
  std::vector<std::uint32_t> all(count);
  std::iota(all.begin(), all.end(), 0u);
  return all;
}

// Sparse data: the sum of the outer products of the columns, (entries of the column)^2/2 each.
Eigen::MatrixXd gram_of_rows(const Problem& problem) {
  Eigen::MatrixXd k;
  if (nearly_dense(problem.data->rows)) row_gram(problem.data->rows, first(problem.n()), k);
  else weighted_gram(problem.columns(), first(problem.d()), std::vector<double>(problem.d(), 1.0), false, k);
  return k;
}

}  // namespace

Eigen::MatrixXd row_factor(const Problem& problem) {
  Eigen::MatrixXd k = gram_of_rows(problem);
  if (stop_requested() || k.trace() == 0) return Eigen::MatrixXd::Zero(k.rows(), k.cols());
  k.diagonal().array() += 1e-14 * k.trace() / static_cast<double>(k.rows());
  Cholesky cholesky;
  cholesky.factor(k);
  if (stop_requested()) return Eigen::MatrixXd::Zero(k.rows(), k.cols());
  return cholesky.lower().triangularView<Eigen::Lower>();
}

}  // namespace seesaw
