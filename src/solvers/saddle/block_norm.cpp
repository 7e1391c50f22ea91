#include "solvers/saddle/block_norm.h"

#include <Eigen/Core>
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <cstdint>

#include "base/elementary.h"
#include "base/rng.h"
#include "base/stop.h"

namespace seesaw::saddle {
namespace {

using Eigen::Index;
using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;

constexpr Index largest_exact = 128;
constexpr double deficit = 0.1;  // the fraction of the largest eigenvalue by which a Ritz value may be below it
constexpr double failure = 1e-9;

// The block over the columns that have entries, numbered from 0.
class UsedColumns {
 public:
  explicit UsedColumns(const std::vector<ScoreRow>& rows) {
    std::vector<std::uint32_t> used;
    for (const ScoreRow& row : rows) used.insert(used.end(), row.columns.begin(), row.columns.end());
    std::sort(used.begin(), used.end());
    used.erase(std::unique(used.begin(), used.end()), used.end());
    columns_ = static_cast<Index>(used.size());
    for (const ScoreRow& row : rows) {
      for (const std::uint32_t column : row.columns)
        column_.push_back(std::lower_bound(used.begin(), used.end(), column) - used.begin());
      value_.insert(value_.end(), row.values.begin(), row.values.end());
      offset_.push_back(value_.size());
    }
  }

  Index rows() const { return static_cast<Index>(offset_.size()) - 1; }
  Index columns() const { return columns_; }
  double trace() const {
    return Eigen::Map<const Vector>(value_.data(), static_cast<Index>(value_.size())).squaredNorm();
  }

  Vector operator*(const Vector& x) const {
    Vector z(rows());
    for (Index k = 0; k < rows(); ++k) z[k] = score(k, x);
    return z;
  }
  Vector transposed_times(const Vector& z) const {
    Vector x = Vector::Zero(columns_);
    for (Index k = 0; k < rows(); ++k) each(k, [&](Index j, double value) { x[j] += z[k] * value; });
    return x;
  }
  // The lower triangles of A A^T and of A^T A.
  Matrix gram_of_rows() const {
    Matrix gram = Matrix::Zero(rows(), rows());
    Vector row = Vector::Zero(columns_);
    for (Index k = 0; k < rows(); ++k) {
      each(k, [&](Index j, double value) { row[j] = value; });
      for (Index l = k; l < rows(); ++l) gram(l, k) = score(l, row);
      each(k, [&](Index j, double) { row[j] = 0; });
    }
    return gram;
  }
  Matrix gram_of_columns() const {
    Matrix gram = Matrix::Zero(columns_, columns_);
    for (Index k = 0; k < rows(); ++k)
      for (std::size_t a = begin(k); a < end(k); ++a)
        for (std::size_t b = a; b < end(k); ++b) gram(column_[b], column_[a]) += value_[a] * value_[b];
    return gram;
  }

 private:
  std::size_t begin(Index k) const { return offset_[static_cast<std::size_t>(k)]; }
  std::size_t end(Index k) const { return offset_[static_cast<std::size_t>(k) + 1]; }
  template <class Use>
  void each(Index k, const Use& use) const {
    for (std::size_t at = begin(k); at < end(k); ++at) use(column_[at], value_[at]);
  }
  double score(Index k, const Vector& x) const {
    double sum = 0;
    each(k, [&](Index j, double value) { sum += value * x[j]; });
    return sum;
  }

  Index columns_ = 0;
  std::vector<std::size_t> offset_ = {0};
  std::vector<Index> column_;
  std::vector<double> value_;
};

double largest_eigenvalue(const Matrix& lower) {
  return Eigen::SelfAdjointEigenSolver<Matrix>(lower, Eigen::EigenvaluesOnly).eigenvalues().maxCoeff();
}

// The largest Ritz value, divided by 1 - deficit. The basis stays orthogonal by two passes of Gram-Schmidt.
double bound_by_lanczos(const UsedColumns& A) {
  const bool by_rows = A.rows() <= A.columns();
  const Index size = std::min(A.rows(), A.columns());
  const double needed = log_of(1.648 * std::sqrt(static_cast<double>(size)) / failure) / std::sqrt(deficit);
  const Index steps = std::min(size, static_cast<Index>(std::ceil((needed + 1) / 2)));
  Matrix basis(size, steps);
  Vector v(size), alpha(steps), beta(steps);
  Rng rng(1);
  for (double& entry : v) entry = rng.normal();
  v.normalize();
  Index done = 0;
  while (done < steps) {
    if (stop_requested()) return A.trace();
    const Index k = done++;
    basis.col(k) = v;
    Vector next = by_rows ? Vector(A * A.transposed_times(v)) : A.transposed_times(A * v);
    alpha[k] = next.dot(v);
    for (int pass = 0; pass < 2; ++pass) next -= basis.leftCols(done) * (basis.leftCols(done).transpose() * next);
    beta[k] = next.norm();
    if (!(beta[k] > 1e-14 * alpha.head(done).maxCoeff())) break;  // the Krylov space is exhausted
    v = next / beta[k];
  }
  Eigen::SelfAdjointEigenSolver<Matrix> tridiagonal;
  tridiagonal.computeFromTridiagonal(alpha.head(done), beta.head(done - 1), Eigen::EigenvaluesOnly);
  return std::min(A.trace(), tridiagonal.eigenvalues().maxCoeff() / (1 - deficit));
}

}  // namespace

double block_norm(const std::vector<ScoreRow>& rows) {
  const UsedColumns A(rows);
  if (std::min(A.rows(), A.columns()) <= 1) return std::sqrt(A.trace());
  double squared = 0;
  if (A.rows() <= std::min(A.columns(), largest_exact)) squared = largest_eigenvalue(A.gram_of_rows());
  else if (A.columns() <= largest_exact) squared = largest_eigenvalue(A.gram_of_columns());
  else squared = bound_by_lanczos(A);
  return std::sqrt(std::max(0.0, squared));
}

}  // namespace seesaw::saddle
