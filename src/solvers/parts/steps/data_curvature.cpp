#include "solvers/parts/steps/data_curvature.h"

#include <fmt/format.h>

#include <Eigen/Core>
#include <Eigen/Eigenvalues>
#include <algorithm>

#include "base/rng.h"
#include "base/stop.h"
#include "kernels/dense.h"

namespace seesaw {
namespace {

constexpr std::size_t max_features = 4000;  // a d x d matrix of 128 MB

// Adds blocks of rows, expanded to dense storage: many times faster than row by row.
Eigen::MatrixXd gram(const Problem& problem, double bias_entry) {
  constexpr std::size_t block = 256;
  const std::size_t n = problem.n(), d = problem.d(), unknowns = d + (bias_entry > 0 ? 1 : 0);
  Eigen::MatrixXd result = Eigen::MatrixXd::Zero(unknowns, unknowns), rows_of_block(unknowns, block);
  std::visit(
      [&](const auto& rows) {
        for (std::size_t begin = 0; begin < n && !stop_requested(); begin += block) {
          rows_of_block.setZero();
          for (std::size_t i = begin; i < std::min(begin + block, n); ++i) {
            const double scale = std::sqrt(problem.normalized_weight[i]);
            for_each(rows.row(i), [&](std::size_t j, double a) { rows_of_block(j, i - begin) = scale * a; });
            if (bias_entry > 0) rows_of_block(d, i - begin) = scale * bias_entry;
          }
          add_gram(rows_of_block.data(), unknowns, block, result.data(), unknowns);
        }
      },
      problem.data->rows);
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
  if (!factor_cholesky(matrix.data(), static_cast<std::size_t>(size), stop_requested)) return {0, trace};
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
