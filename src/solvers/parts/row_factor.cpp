#include "solvers/parts/row_factor.h"

#include <numeric>
#include <vector>

#include "base/parallel.h"
#include "solvers/parts/cholesky.h"
#include "solvers/parts/weighted_gram.h"

namespace seesaw {
namespace {

// A A^T is the sum of the columns' outer products.
template <class Value>
Eigen::MatrixXd gram_of_rows(const SparseRows<Value>&, const Problem& problem) {
  std::vector<std::uint32_t> all(problem.d());
  std::iota(all.begin(), all.end(), 0u);
  const std::vector<double> ones(all.size(), 1.0);
  Eigen::MatrixXd k;
  weighted_gram(problem.columns(), all, ones, false, k);
  return k;
}

// Dense rows need no transposition: blocks of columns as they lie, chunks of them side by side and added in order.
template <class Value>
Eigen::MatrixXd gram_of_rows(const DenseRows<Value>& rows, const Problem&) {
  using Matrix = Eigen::Matrix<Value, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const auto n = static_cast<Eigen::Index>(rows.count()), d = static_cast<Eigen::Index>(rows.width());
  const Eigen::Map<const Matrix> a(rows.values().data(), n, d);
  const Chunks chunks = chunks_of(rows.width(), std::max<std::size_t>(2048, 4 * rows.count()), 8);
  std::vector<Eigen::MatrixXd> parts(chunks.count);
  parallel_chunks(chunks, [&](std::size_t chunk, std::size_t begin, std::size_t end) {
    constexpr Eigen::Index block = 512;
    parts[chunk].setZero(n, n);
    for (auto at = static_cast<Eigen::Index>(begin); at < static_cast<Eigen::Index>(end); at += block) {
      const Eigen::MatrixXd columns =
          a.middleCols(at, std::min(block, static_cast<Eigen::Index>(end) - at)).template cast<double>();
      parts[chunk].template selfadjointView<Eigen::Lower>().rankUpdate(columns);
    }
  });
  for (std::size_t chunk = 1; chunk < parts.size(); ++chunk) parts[0] += parts[chunk];
  return parts[0];
}

}  // namespace

Eigen::MatrixXd row_factor(const Problem& problem) {
  Eigen::MatrixXd k = std::visit([&](const auto& rows) { return gram_of_rows(rows, problem); }, problem.data->rows);
  if (k.trace() == 0) return Eigen::MatrixXd::Zero(k.rows(), k.cols());
  k.diagonal().array() += 1e-14 * k.trace() / static_cast<double>(k.rows());
  Cholesky cholesky;
  cholesky.factor(k);
  return cholesky.factored().matrixL();
}

}  // namespace seesaw
