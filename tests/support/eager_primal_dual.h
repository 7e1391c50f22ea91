// A reference of the stochastic primal-dual method by its head comment: dense, in long double, every coordinate updated
// in every step. For the engine with deferred updates.
#pragma once

#include <cmath>
#include <vector>

#include "model/intercept.h"
#include "solvers/engines/primal_dual.h"
#include "support/table.h"

namespace seesaw::test {

class EagerPrimalDual {
 public:
  using Real = long double;

  EagerPrimalDual(const Problem& problem, StepRule& rule, Extrapolate extrapolate, DualStep dual_step,
                  std::size_t batch, BatchNorm batch_norm)
      : problem_(problem),
        rule_(rule),
        extrapolate_(extrapolate),
        dual_step_(dual_step),
        batch_(batch),
        batch_norm_(batch_norm),
        a_(matrix_of(*problem.data)),
        outputs_(problem.outputs()),
        t_(rule.facts.bias_entry) {
    if (problem.is_block()) block_loss_ = problem.block().loss;
    else loss_ = problem.scalar().loss;
    double at_zero = 0;
    std::vector<double> zeros(outputs_);
    for (std::size_t i = 0; i < problem.n(); ++i)
      at_zero +=
          problem.normalized_weight[i] *
          (block_loss_ ? std::visit([&](const auto& l) { return l.value(class_of(i), zeros.data()); }, *block_loss_)
                       : std::visit([&](const auto& l) { return l.value(problem.scalar().target[i], 0); }, loss_));
    if (problem.gamma() == 0) {  // the initial smoothing
      loss_ = smoothed(loss_, 1e-2 * at_zero);
      if (block_loss_) block_loss_ = smoothed(*block_loss_, 1e-2 * at_zero);
    }
    steps_ = rule.steps(block_loss_ ? gamma_of(*block_loss_) : gamma_of(loss_));
    const std::size_t width = problem.d() + (t_ > 0 ? 1 : 0);
    for (auto& row : a_)
      if (t_ > 0) row.push_back(t_);
    x_.assign(width * outputs_, 0);
    center_.assign(outputs_, 0);
    const std::vector<double> alone = intercepts_alone(problem);
    if (t_ > 0)
      for (std::size_t k = 0; k < outputs_; ++k) center_[k] = x_[problem.d() * outputs_ + k] = alone[k] / t_;
    before_ = x_;
    y_.assign(problem.n() * outputs_, 0);
    anchor_.assign(problem.n(), 0);
    for (std::size_t i = 0; i < problem.n(); ++i) {
      if (block_loss_) {
        std::vector<double> y(outputs_);
        if (rule.facts.empty(i))
          std::visit([&](const auto& l) { l.derivative(class_of(i), zeros.data(), y.data()); }, problem.block().loss);
        for (std::size_t k = 0; k < outputs_; ++k) y_[i * outputs_ + k] = y[k];
        continue;
      }
      const double b = problem.scalar().target[i];
      if (rule.facts.empty(i))
        y_[i] = std::visit([&](const auto& l) { return l.derivative(b, 0); }, problem.scalar().loss);
      else if (dual_step == DualStep::dual_free) {
        anchor_[i] = std::holds_alternative<Logistic>(loss_) ? 0 : b;
        y_[i] = derivative(i, static_cast<double>(anchor_[i]));
      }
    }
    s_.assign(x_.size(), 0);
    for (std::size_t i = 0; i < problem.n(); ++i)
      for (std::size_t k = 0; k < outputs_; ++k) add(s_, i, k, problem.normalized_weight[i] * y_[i * outputs_ + k]);
    e_.assign(x_.size(), 0);
  }

  void epoch() {
    for (std::size_t drawn = 0; drawn < problem_.n(); drawn += batch_) {
      std::vector<std::uint32_t> rows(batch_);
      rule_.sampler->fill(rows);
      step(rows);
    }
    if (t_ > 0)
      for (std::size_t k = 0; k < outputs_; ++k) center_[k] = x_[problem_.d() * outputs_ + k];
  }

  // x without the intercept's coordinate, and the intercepts.
  std::vector<double> x() const {
    std::vector<double> result(problem_.d() * outputs_);
    for (std::size_t j = 0; j < result.size(); ++j) result[j] = static_cast<double>(x_[j]);
    return result;
  }
  double intercept(std::size_t k) const {
    return t_ > 0 ? static_cast<double>(t_ * x_[problem_.d() * outputs_ + k]) : 0;
  }
  const std::vector<Real>& y() const { return y_; }

 private:
  std::size_t class_of(std::size_t i) const { return problem_.block().class_of_row[i]; }
  double derivative(std::size_t i, double z) const {
    return std::visit([&](const auto& l) { return l.derivative(problem_.scalar().target[i], z); }, loss_);
  }
  static Real at(const std::vector<double>& values, std::size_t i) { return values[values.size() == 1 ? 0 : i]; }
  void add(std::vector<Real>& to, std::size_t i, std::size_t k, Real scale) const {
    for (std::size_t j = 0; j < a_[i].size(); ++j) to[j * outputs_ + k] += scale * a_[i][j];
  }

  void prox(Real tau) {  // of x - tau (s + e)
    before_ = x_;
    for (std::size_t j = 0; j < x_.size(); ++j) {
      Real u = x_[j] - tau * (s_[j] + e_[j]);
      const std::size_t column = j / outputs_;
      if (column < problem_.d()) {
        const Real l1 = tau * problem_.penalty.l1();
        u = u > l1 ? u - l1 : u < -l1 ? u + l1 : 0;
      } else {
        u += tau * problem_.penalty.l2() * center_[j % outputs_];
      }
      x_[j] = u / (1 + tau * problem_.penalty.l2());
    }
    e_.assign(e_.size(), 0);
  }

  void step(const std::vector<std::uint32_t>& rows) {
    if (extrapolate_ == Extrapolate::dual) prox(at(steps_.tau, rows[0]));
    Real tau = 1e300L, theta = 0, inverse = 0, time = 0;
    std::vector<std::vector<Real>> dy;
    for (std::uint32_t i : rows) {
      tau = std::min(tau, at(steps_.tau, i));
      theta = std::max(theta, at(steps_.theta, i));
      inverse += 1 / at(steps_.tau, i);
      time += 1 / (1 - at(steps_.theta, i));
      dy.push_back(move(i));
    }
    if (batch_ > 1 && batch_norm_ == BatchNorm::mean) {
      tau = batch_ / inverse;
      theta = 1 - batch_ / time;
    }
    for (std::size_t r = 0; r < rows.size(); ++r)
      for (std::size_t k = 0; k < outputs_; ++k) {
        const Real w = at(steps_.weight, rows[r]) * dy[r][k];
        add(e_, rows[r], k, extrapolate_ == Extrapolate::dual ? at(steps_.theta, rows[r]) * w : w);
      }
    if (extrapolate_ == Extrapolate::primal) prox(tau);
    for (std::size_t r = 0; r < rows.size(); ++r)
      for (std::size_t k = 0; k < outputs_; ++k) add(s_, rows[r], k, problem_.normalized_weight[rows[r]] * dy[r][k]);
    theta_ = theta;
  }

  std::vector<Real> move(std::uint32_t i) {
    std::vector<double> z(outputs_), y0(outputs_), y1(outputs_);
    for (std::size_t k = 0; k < outputs_; ++k) {
      Real sum = 0;
      for (std::size_t j = 0; j < a_[i].size(); ++j) {
        const std::size_t c = j * outputs_ + k;
        sum += a_[i][j] * (extrapolate_ == Extrapolate::dual ? x_[c] : x_[c] + theta_ * (x_[c] - before_[c]));
      }
      z[k] = static_cast<double>(sum);
      y0[k] = static_cast<double>(y_[i * outputs_ + k]);
    }
    const double q = 1 / static_cast<double>(at(steps_.sigma, i));
    if (block_loss_) {
      std::visit([&](const auto& l) { l.dual_step(class_of(i), z.data(), y0.data(), q, y1.data()); }, *block_loss_);
    } else if (dual_step_ == DualStep::dual_free) {
      anchor_[i] = (q * anchor_[i] + z[0]) / (q + 1);
      y1[0] = derivative(i, static_cast<double>(anchor_[i]));
    } else {
      y1[0] =
          std::visit([&](const auto& l) { return l.dual_step(problem_.scalar().target[i], z[0], y0[0], q); }, loss_);
    }
    std::vector<Real> dy(outputs_);
    for (std::size_t k = 0; k < outputs_; ++k) {
      dy[k] = y1[k] - y_[i * outputs_ + k];
      y_[i * outputs_ + k] = y1[k];
    }
    return dy;
  }

  const Problem& problem_;
  StepRule& rule_;
  Extrapolate extrapolate_;
  DualStep dual_step_;
  std::size_t batch_;
  BatchNorm batch_norm_;
  Matrix a_;
  std::size_t outputs_;
  Loss loss_;
  std::optional<BlockLoss> block_loss_;
  double t_;
  Steps steps_;
  Real theta_ = 0;
  std::vector<Real> x_, before_, s_, e_, y_, anchor_, center_;
};

}  // namespace seesaw::test
