// Ridge regression by its normal equations: a reference that is independent of all iterative methods.
#pragma once

#include <Eigen/Dense>
#include <cmath>
#include <vector>

#include "model/problem.h"
#include "support/table.h"

namespace seesaw::test {

struct Ridge {
  Eigen::VectorXd x;
  double primal;
};

// min 1/(2n) |A x - b|^2 + lambda/2 |x|^2; lambda may be 0 if A has full rank.
inline Ridge solve_ridge(const Dataset& data, double lambda) {
  const auto n = static_cast<Eigen::Index>(data.n()), d = static_cast<Eigen::Index>(data.d());
  Eigen::MatrixXd A = Eigen::MatrixXd::Zero(n, d);
  std::visit(
      [&](const auto& rows) {
        for (std::size_t i = 0; i < rows.count(); ++i)
          for_each(rows.row(i), [&](std::size_t j, double value) {
            A(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) = value;
          });
      },
      data.rows);
  const Eigen::VectorXd b = Eigen::Map<const Eigen::VectorXd>(data.labels.data(), n);
  Eigen::MatrixXd H = A.transpose() * A / static_cast<double>(n);
  H.diagonal().array() += lambda;
  Ridge ridge;
  ridge.x = H.ldlt().solve(A.transpose() * b / static_cast<double>(n));
  ridge.primal = (A * ridge.x - b).squaredNorm() / (2 * static_cast<double>(n)) + lambda / 2 * ridge.x.squaredNorm();
  return ridge;
}

// |x - factor x*| / |x*|
inline double distance(const std::vector<double>& x, const Ridge& ridge, double factor = 1) {
  const Eigen::VectorXd found = Eigen::Map<const Eigen::VectorXd>(x.data(), static_cast<Eigen::Index>(x.size()));
  return (found - factor * ridge.x).norm() / ridge.x.norm();
}

}  // namespace seesaw::test
