#include "solvers/parts/l1/l1_columns.h"

#include <cmath>
#include <numeric>

#include "base/scalar.h"
#include "base/stop.h"

namespace seesaw {

double L1Columns::minimize(const Model& model, const L1Quadratic::Penalty& penalty, double tolerance,
                           Eigen::VectorXd& u) {
  model_ = model;
  penalty_ = penalty;
  x_ = u_ = u;
  e_.assign(model.weight.size(), 0.0);
  sum_e_ = 0;
  diagonal_ = *model.damping;
  border_.setZero(u.size());
  std::visit(
      [&](const auto& columns) {
        used_ = static_cast<double>(columns.entries());
        for (Eigen::Index j = 0; j < u.size(); ++j) {
          double square = 0;
          for_each(columns.row(static_cast<std::size_t>(j)), [&](std::size_t i, double a) {
            square += model.weight[i] * a * a;
            border_[j] += model.weight[i] * a;
          });
          if (model.intercept) square -= border_[j] * border_[j] / model.curvature_b;
          diagonal_[j] += std::max(square, 0.0);
        }
      },
      *model.columns);
  if (!model.intercept) border_.setZero();

  std::vector<std::uint32_t> all(static_cast<std::size_t>(u.size())), support;
  std::iota(all.begin(), all.end(), 0u);
  int sweeps = 500;
  while (sweeps-- > 0 && sweep(all) > tolerance && !stop_requested()) {
    support.clear();
    for (const std::uint32_t j : all)
      if (u_[j] != 0) support.push_back(j);
    while (sweeps-- > 0 && sweep(support) > tolerance && !stop_requested()) continue;
  }
  u = u_;
  return intercept_move();
}

// Minimizes over each coordinate in turn; returns the largest |derivative| found.
double L1Columns::sweep(const std::vector<std::uint32_t>& coordinates) {
  double largest = 0;
  std::visit(
      [&](const auto& columns) {
        for (const std::uint32_t j : coordinates) {
          const auto column = columns.row(j);
          used_ += static_cast<double>(column.size);
          const double curvature = diagonal_[j] + penalty_.at(j).l2;
          const double f = (*model_.derivative)[j] + dot(column, e_.data()) + intercept_move() * border_[j] +
                           (*model_.damping)[j] * (u_[j] - x_[j]);
          const double minimizer = penalty_.minimizer(j, diagonal_[j] * u_[j] - f, diagonal_[j]);
          const double move = minimizer - u_[j];
          if (move == 0) continue;
          u_[j] = minimizer;
          for_each(column, [&](std::size_t i, double a) { e_[i] += move * model_.weight[i] * a; });
          used_ += static_cast<double>(column.size);
          sum_e_ += move * border_[j];
          largest = std::max(largest, curvature * std::abs(move));
        }
      },
      *model_.columns);
  return largest;
}

}  // namespace seesaw
