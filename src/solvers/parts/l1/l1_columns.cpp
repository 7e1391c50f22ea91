#include "solvers/parts/l1/l1_columns.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/scalar.h"
#include "base/stop.h"

namespace seesaw {
namespace {

constexpr std::size_t remembered = 6;  // iterates of an extrapolation

}  // namespace

L1Columns::Result L1Columns::minimize(const Model& model, const L1Quadratic::Penalty& penalty, double tolerance,
                                      int sweeps, Eigen::VectorXd& u) {
  model_ = model;
  penalty_ = penalty;
  one_weight_ =
      std::all_of(model.weight.begin(), model.weight.end(), [&](double weight) { return weight == model.weight[0]; });
  x_ = u_ = u;
  e_.assign(model.weight.size(), 0.0);
  sum_e_ = 0;
  diagonal_.setConstant(u.size(), std::numeric_limits<double>::quiet_NaN());
  used_ = 0;

  std::vector<std::uint32_t> all(static_cast<std::size_t>(u.size())), support;
  std::iota(all.begin(), all.end(), 0u);
  bool solved = false;
  while (sweeps-- > 0 && !stop_requested()) {
    solved = sweep(all) <= tolerance;
    if (solved) break;
    support.clear();
    for (const std::uint32_t j : all)
      if (u_[j] != 0) support.push_back(j);
    iterates_.clear();
    while (sweeps-- > 0 && sweep(support) > tolerance && !stop_requested()) extrapolate(support);
  }
  u = u_;
  return {intercept_move(), solved};
}

double L1Columns::diagonal(std::size_t j) {
  double& known = diagonal_[static_cast<Eigen::Index>(j)];
  if (known == known) return known;
  double square = 0;
  std::visit(
      [&](const auto& columns) {
        const auto column = columns.row(j);
        for_each(column, [&](std::size_t i, double a) { square += model_.weight[i] * a * a; });
        used_ += static_cast<double>(column.size);
      },
      *model_.columns);
  const auto k = static_cast<Eigen::Index>(j);
  if (model_.intercept) square -= (*model_.border)[k] * (*model_.border)[k] / model_.curvature_b;
  return known = std::max(square, 0.0) + (*model_.damping)[k];
}

// Minimizes over each coordinate in turn; returns the largest |derivative| found.
double L1Columns::sweep(const std::vector<std::uint32_t>& coordinates) {
  double largest = 0;
  std::visit(
      [&](const auto& columns) {
        for (const std::uint32_t j : coordinates) {
          const auto column = columns.row(j);
          used_ += static_cast<double>(column.size);
          const double border = model_.intercept ? (*model_.border)[j] : 0;
          const double f = (*model_.derivative)[j] + dot(column, e_.data()) + intercept_move() * border +
                           (*model_.damping)[j] * (u_[j] - x_[j]);
          if (u_[j] == 0 && penalty_.uniform() && std::abs(f) <= penalty_.l1) continue;
          const double curvature = diagonal(j);
          const double minimizer = penalty_.minimizer(j, curvature * u_[j] - f, curvature);
          const double move = minimizer - u_[j];
          if (move == 0) continue;
          u_[j] = minimizer;
          if (one_weight_) add_to(e_.data(), move * model_.weight[0], column);
          else for_each(column, [&](std::size_t i, double a) { e_[i] += move * model_.weight[i] * a; });
          used_ += static_cast<double>(column.size);
          sum_e_ += move * border;
          largest = std::max(largest, (curvature + penalty_.at(j).l2) * std::abs(move));
        }
      },
      *model_.columns);
  return largest;
}

// After every few sweeps over the support.
void L1Columns::extrapolate(const std::vector<std::uint32_t>& support) {
  Iterate now{{}, e_, sum_e_};
  for (const std::uint32_t j : support) now.u.push_back(u_[j]);
  iterates_.push_back(std::move(now));
  if (iterates_.size() < remembered) return;

  constexpr auto m = static_cast<Eigen::Index>(remembered - 1);
  Eigen::MatrixXd steps(static_cast<Eigen::Index>(support.size()), m);
  for (Eigen::Index c = 0; c < m; ++c)
    for (Eigen::Index k = 0; k < steps.rows(); ++k) {
      const auto at = static_cast<std::size_t>(k), i = static_cast<std::size_t>(c);
      steps(k, c) = iterates_[i + 1].u[at] - iterates_[i].u[at];
    }
  Eigen::MatrixXd gram = steps.transpose() * steps;
  gram.diagonal().array() += 1e-12 * gram.trace();
  Eigen::VectorXd weight = gram.ldlt().solve(Eigen::VectorXd::Ones(m));
  weight /= weight.sum();
  const std::vector<Iterate> all = std::move(iterates_);
  iterates_.clear();
  if (!weight.allFinite()) return;

  const double before = objective(support, e_, sum_e_);
  Iterate mixed{std::vector<double>(support.size()), std::vector<double>(e_.size()), 0};
  for (Eigen::Index c = 0; c < m; ++c) {
    const Iterate& one = all[static_cast<std::size_t>(c + 1)];
    for (std::size_t k = 0; k < mixed.u.size(); ++k) mixed.u[k] += weight[c] * one.u[k];
    for (std::size_t i = 0; i < mixed.e.size(); ++i) mixed.e[i] += weight[c] * one.e[i];
    mixed.sum_e += weight[c] * one.sum_e;
  }
  const auto put = [&](const std::vector<double>& u) {
    for (std::size_t k = 0; k < support.size(); ++k) u_[support[k]] = u[k];
  };
  bool inside = true;
  if (!penalty_.uniform())
    for (std::size_t k = 0; k < support.size(); ++k)
      inside = inside && penalty_.at(support[k]).clip(mixed.u[k]) == mixed.u[k];
  put(mixed.u);
  if (inside && objective(support, mixed.e, mixed.sum_e) < before) {
    e_ = std::move(mixed.e);
    sum_e_ = mixed.sum_e;
  } else {
    put(all.back().u);
  }
}

// At u_, apart from terms that do not change on the support; e belongs to u_.
double L1Columns::objective(const std::vector<std::uint32_t>& support, const std::vector<double>& e,
                            double sum_e) const {
  double sum = 0;
  for (std::size_t i = 0; i < e.size(); ++i)
    if (model_.weight[i] > 0) sum += e[i] * (e[i] / model_.weight[i]);
  sum *= 0.5;
  if (model_.intercept) {
    const double r = model_.derivative_b + sum_e;
    sum -= 0.5 * r * r / model_.curvature_b;
  }
  for (const std::uint32_t j : support) {
    const double move = u_[j] - x_[j];
    sum += (*model_.derivative)[j] * move + 0.5 * (*model_.damping)[j] * move * move + penalty_.at(j).value(u_[j]);
  }
  return sum;
}

}  // namespace seesaw
