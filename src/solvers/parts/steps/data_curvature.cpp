#include "solvers/parts/steps/data_curvature.h"

#include <fmt/format.h>

#include <Eigen/Core>
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <numeric>

#include "base/parallel_dense.h"
#include "base/rng.h"
#include "base/stop.h"
#include "kernels/dense.h"
#include "solvers/parts/newton/weighted_gram.h"

namespace seesaw {
namespace {

constexpr std::size_t max_features = 4000;  // a d x d matrix of 128 MB

// The lower triangle.
Eigen::MatrixXd gram(const Problem& problem, double bias_entry) {
  std::vector<std::uint32_t> all(problem.n());
  std::iota(all.begin(), all.end(), 0u);
  Eigen::MatrixXd result;
  weighted_gram(problem.data->rows, all, problem.normalized_weight, bias_entry > 0, result);
  if (bias_entry > 0) {
    result.row(result.rows() - 1) *= bias_entry;
    result(result.rows() - 1, result.cols() - 1) *= bias_entry;
  }
  return result;
}

struct Extremes {
  double smallest, largest;
};

Extremes extremes_by_decomposition(const Eigen::MatrixXd& matrix) {
  const Eigen::VectorXd values =
      Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(matrix, Eigen::EigenvaluesOnly).eigenvalues();
  return {values[0], values[values.size() - 1]};
}

// Lanczos steps with the inverse, by a Cholesky factor that polls for requests to stop: O(d^3/3) instead of the O(4/3
// d^3) of a decomposition, which cannot be interrupted. The basis stays orthogonal by two passes of Gram-Schmidt.
// `largest` is the trace, an upper bound: it is only compared with rounding errors.
Extremes extremes_by_inverse(Eigen::MatrixXd matrix) {
  constexpr Eigen::Index most = 60;
  constexpr double settled = 1e-12;  // relative change of the eigenvalue in one step
  const auto size = matrix.rows();
  const double trace = matrix.trace();
  if (!factor_cholesky_in_parallel(matrix.data(), static_cast<std::size_t>(size), stop_requested)) return {0, trace};
  Eigen::MatrixXd basis(size, most);
  Eigen::VectorXd v(size), alpha(most), beta(most);
  Rng rng(1);
  for (double& entry : v) entry = rng.normal();
  v.normalize();
  double inverse = 0;
  for (Eigen::Index k = 0; k < most && !stop_requested(); ++k) {
    basis.col(k) = v;
    Eigen::VectorXd next = v;
    solve_cholesky(matrix.data(), static_cast<std::size_t>(size), next.data());
    alpha[k] = next.dot(v);
    for (int pass = 0; pass < 2; ++pass) next -= basis.leftCols(k + 1) * (basis.leftCols(k + 1).transpose() * next);
    beta[k] = next.norm();
    Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> small;
    small.computeFromTridiagonal(alpha.head(k + 1), beta.head(k), Eigen::EigenvaluesOnly);
    const double before = inverse;
    inverse = small.eigenvalues()[k];
    if (!(inverse > before * (1 + settled)) || !(beta[k] > 1e-14 * inverse)) break;
    v = next / beta[k];
  }
  return {1 / inverse, trace};
}

}  // namespace

std::optional<std::string> data_curvature_unsupported(const Problem& problem) {
  if (problem.d() <= max_features) return std::nullopt;
  return fmt::format("the smallest eigenvalue of a matrix of d x d numbers, and d = {} is more than {}", problem.d(),
                     max_features);
}

double data_curvature(const Problem& problem, double bias_entry) {
  if (problem.n() < problem.d() + (bias_entry > 0 ? 1 : 0) || problem.d() == 0) return 0;
  const Eigen::MatrixXd matrix = gram(problem, bias_entry);
  if (stop_requested()) return 1;      // the run is over: any number, but not 0, which some methods refuse
  constexpr Eigen::Index small = 400;  // a decomposition takes less than 0.1 s
  const auto [smallest, largest] =
      matrix.rows() <= small ? extremes_by_decomposition(matrix) : extremes_by_inverse(matrix);
  if (stop_requested()) return 1;
  return smallest > 1e-14 * static_cast<double>(matrix.rows()) * largest ? smallest : 0;
}

}  // namespace seesaw
