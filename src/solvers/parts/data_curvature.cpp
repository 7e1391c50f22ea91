#include "solvers/parts/data_curvature.h"

#include <fmt/format.h>

#include <Eigen/Core>
#include <Eigen/Eigenvalues>
#include <algorithm>

#include "base/stop.h"
#include "kernels/dense.h"

namespace seesaw {
namespace {

constexpr std::size_t widest = 4000;  // a d x d matrix of 128 MB

// The matrix grows by blocks of rows, written out densely: many times quicker than row by row.
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

}  // namespace

std::optional<std::string> lacks_data_curvature(const Problem& problem) {
  if (problem.d() <= widest) return std::nullopt;
  return fmt::format("the smallest eigenvalue of a matrix of d x d numbers, and d = {} is more than {}", problem.d(),
                     widest);
}

double data_curvature(const Problem& problem, double bias_entry) {
  if (problem.n() < problem.d() + (bias_entry > 0 ? 1 : 0) || problem.d() == 0) return 0;
  const Eigen::MatrixXd matrix = gram(problem, bias_entry);
  if (stop_requested()) return 1;  // the run is over: any number, but not 0, which some methods refuse
  const Eigen::VectorXd eigenvalues =
      Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(matrix, Eigen::EigenvaluesOnly).eigenvalues();
  const double smallest = eigenvalues[0], largest = eigenvalues[eigenvalues.size() - 1];
  return smallest > 1e-14 * static_cast<double>(eigenvalues.size()) * largest ? smallest : 0;
}

}  // namespace seesaw
