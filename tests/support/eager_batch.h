// A reference of the batch methods by their head comments: dense, in long double, every product written out. For
// batch_primal_dual and accelerated_gradient.
#pragma once

#include <cmath>
#include <vector>

#include "model/intercept.h"
#include "solvers/engines/accelerated_gradient.h"
#include "solvers/engines/batch_primal_dual.h"
#include "support/table.h"

namespace seesaw::test {

class EagerBatch {
 public:
  using Real = long double;

  EagerBatch(const Problem& problem, DualStep dual_step)
      : problem_(problem),
        dual_step_(dual_step),
        a_(matrix_of(*problem.data)),
        loss_(problem.scalar().loss),
        t_(RowFacts(problem).bias_entry) {
    Real at_zero = 0;
    for (std::size_t i = 0; i < problem.n(); ++i)
      at_zero += problem.normalized_weight[i] *
                 std::visit([&](const auto& l) { return l.value(problem.scalar().target[i], 0); }, loss_);
    if (problem.gamma() == 0) loss_ = smoothed(loss_, static_cast<double>(0.01L * at_zero));  // the initial smoothing
    for (auto& row : a_) row.push_back(t_);
    x_.assign(problem.d() + 1, 0);
    if (t_ > 0) x_.back() = intercepts_alone(problem)[0] / t_;
    xbar_ = x_;
    for (std::size_t i = 0; i < problem.n(); ++i) {
      const double b = problem.scalar().target[i];
      u_.push_back(std::holds_alternative<Logistic>(loss_) ? 0 : b);
      y_.push_back(empty(i)                           ? derivative(problem.scalar().loss, i, 0)
                   : dual_step == DualStep::dual_free ? derivative(loss_, i, u_[i])
                                                      : 0);
    }
  }

  double gamma() const { return gamma_of(loss_); }

  void primal_dual_step(Real tau, Real sigma, Real theta) {
    for (std::size_t i = 0; i < a_.size(); ++i) {
      if (empty(i)) continue;
      const Real z = score(i, xbar_);
      u_[i] = (u_[i] + sigma * z) / (1 + sigma);
      y_[i] = dual_step_ == DualStep::dual_free ? derivative(loss_, i, u_[i]) : dual_prox(i, z, 1 / sigma);
    }
    const std::vector<Real> before = x_;
    x_ = prox(x_, tau);
    extrapolate(before, theta);
  }

  void gradient_step(Real L, const AcceleratedGradientSpec& spec) {
    const Real mu = spec.mu;
    for (std::size_t i = 0; i < a_.size(); ++i) y_[i] = derivative(loss_, i, score(i, xbar_));
    const std::vector<Real> before = x_, from = xbar_;
    x_ = prox(xbar_, 1 / L);
    Real beta, against = 0;
    for (std::size_t j = 0; j < x_.size(); ++j) against += (from[j] - x_[j]) * (x_[j] - before[j]);
    const bool restart = spec.restart && against > 0;
    restarts += restart;
    if (mu > 0) {
      const Real k = std::sqrt(mu / (L + problem_.penalty.l2()));
      beta = restart ? 0 : (1 - k) / (1 + k);
    } else {
      if (restart) momentum_ = 1;
      const Real next = (1 + std::sqrt(1 + 4 * momentum_ * momentum_)) / 2;
      beta = (momentum_ - 1) / next;
      momentum_ = next;
    }
    extrapolate(before, beta);
    for (std::size_t i = 0; i < a_.size(); ++i)
      y_[i] = empty(i) ? derivative(problem_.scalar().loss, i, 0) : derivative(loss_, i, score(i, x_));
  }

  // The largest distance of the point to this one, relative to |x|_inf.
  double distance(const Point& point) const {
    Real size = 1, worst = 0;
    for (std::size_t j = 0; j < problem_.d(); ++j) size = std::max(size, std::abs(x_[j]));
    for (std::size_t j = 0; j < problem_.d(); ++j) {
      worst = std::max(worst, std::abs(point.x[j] - x_[j]) / size);
      if (problem_.penalty.l1() > 0 && (x_[j] == 0) != (point.x[j] == 0)) return infinity;  // the zeros must agree
    }
    for (std::size_t i = 0; i < y_.size(); ++i) worst = std::max(worst, std::abs(point.y[i] - y_[i]) / size);
    return static_cast<double>(std::max(worst, std::abs(point.intercept[0] - t_ * x_.back()) / size));
  }

  int restarts = 0;

 private:
  bool empty(std::size_t i) const {
    for (double value : a_[i])
      if (value != 0) return false;
    return true;
  }
  Real score(std::size_t i, const std::vector<Real>& x) const {
    Real z = 0;
    for (std::size_t j = 0; j < x.size(); ++j) z += a_[i][j] * x[j];
    return z;
  }
  Real derivative(const Loss& loss, std::size_t i, Real z) const {
    return std::visit([&](const auto& l) { return l.derivative(problem_.scalar().target[i], static_cast<double>(z)); },
                      loss);
  }
  Real dual_prox(std::size_t i, Real z, Real q) const {
    return std::visit(
        [&](const auto& l) {
          return l.dual_step(problem_.scalar().target[i], static_cast<double>(z), static_cast<double>(y_[i]),
                             static_cast<double>(q));
        },
        loss_);
  }

  // prox_tau(from - tau sum c_i y_i a_i); the intercept's penalty is (lambda/2)(x - from)^2.
  std::vector<Real> prox(const std::vector<Real>& from, Real tau) const {
    std::vector<Real> result(from.size());
    for (std::size_t j = 0; j < from.size(); ++j) {
      Real s = 0;
      for (std::size_t i = 0; i < a_.size(); ++i) s += problem_.normalized_weight[i] * y_[i] * a_[i][j];
      const Real to = from[j] - tau * s;
      if (j == problem_.d())
        result[j] = (to + tau * problem_.penalty.l2() * from[j]) / (1 + tau * problem_.penalty.l2());
      else
        result[j] = std::copysign(std::max(std::abs(to) - tau * problem_.penalty.l1(), 0.0L), to) /
                    (1 + tau * problem_.penalty.l2());
    }
    return result;
  }
  void extrapolate(const std::vector<Real>& before, Real theta) {
    for (std::size_t j = 0; j < x_.size(); ++j) xbar_[j] = x_[j] + theta * (x_[j] - before[j]);
  }

  const Problem& problem_;
  DualStep dual_step_;
  Matrix a_;  // with the intercept's column
  Loss loss_;
  double t_;
  Real momentum_ = 1;
  std::vector<Real> x_, xbar_, y_, u_;
};

}  // namespace seesaw::test
