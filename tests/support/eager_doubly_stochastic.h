// A reference of the doubly stochastic method by its head comment: dense, every sum over the whole matrix. In long
// double it is the reference; in double it measures the growth of rounding errors over the same steps.
#pragma once

#include <cmath>
#include <vector>

#include "model/intercept.h"
#include "solvers/engines/doubly_stochastic.h"
#include "support/table.h"

namespace seesaw::test {

template <class Real = long double>
class EagerDoublyStochastic {
 public:
  EagerDoublyStochastic(const Problem& problem, DoublyStochasticSpec spec)
      : problem_(problem),
        spec_(std::move(spec)),
        a_(matrix_of(*problem.data)),
        loss_(problem.scalar().loss),
        t_(spec_.row_facts.bias_entry),
        d_(problem.d()),
        x_(d_ + 1),
        y_(problem.n()) {
    std::vector<bool> row_used(problem.n(), t_ > 0), column_used(d_);
    Real largest = 0, heaviest = 0, at_zero = 0;
    for (std::size_t i = 0; i < problem.n(); ++i)
      for (std::size_t j = 0; j < d_; ++j)
        if (a_[i][j] != 0) row_used[i] = column_used[j] = true;
    for (std::size_t i = 0; i < problem.n(); ++i) m_ += row_used[i];
    for (std::size_t j = 0; j < d_; ++j) k_ += column_used[j];
    for (std::size_t i = 0; i < problem.n(); ++i) {
      const Real c = problem.normalized_weight[i];
      heaviest = std::max(heaviest, c);
      at_zero +=
          c * std::visit([&](const auto& l) { return l.value(problem.scalar().target[i], 0); }, problem.scalar().loss);
      for (std::size_t j = 0; j < d_; ++j) largest = std::max(largest, std::sqrt(m_ * c) * std::abs(Real(a_[i][j])));
      a_[i].push_back(t_);
      if (!row_used[i])
        y_[i] = std::visit([&](const auto& l) { return l.derivative(problem.scalar().target[i], 0); },
                           problem.scalar().loss);
    }
    if (problem.gamma() == 0) loss_ = smoothed(loss_, static_cast<double>(at_zero / 100));
    if (t_ > 0) x_[d_] = center_ = intercepts_alone(problem)[0] / t_;
    xbar_ = x_;

    const Real gamma = gamma_of(loss_), lambda = problem.penalty.l2(), f = spec_.factor;
    tau_ = f * std::sqrt(gamma / (m_ * lambda)) / (2 * largest);
    sigma_ = f * std::sqrt(m_ * lambda / gamma) / (2 * k_ * largest);
    theta_ = 1 - 1 / std::max(m_ + m_ / (2 * sigma_ * gamma), k_ + k_ / (2 * tau_ * lambda));
    tau_bias_ = tau_ / k_;
    if (t_ > 0) tau_bias_ = std::min(tau_bias_, (1 + sigma_ * gamma) / (4 * sigma_ * m_ * heaviest * t_ * t_));
  }

  void epoch() {
    for (int left = static_cast<int>(std::ceil(2 / (1 / m_ + 1 / k_))); left > 0; --left) {
      std::vector<std::uint32_t> i(1), j(1);
      spec_.rows->fill(i);
      spec_.columns->fill(j);
      step(i[0], j[0]);
    }
    spec_.rows->end_pass();
    spec_.columns->end_pass();
    center_ = x_[d_];
  }

  Real x(std::size_t j) const { return x_[j]; }
  Real y(std::size_t i) const { return y_[i]; }
  Real intercept() const { return t_ * x_[d_]; }

 private:
  void step(std::uint32_t i, std::uint32_t j) {
    const Real p = spec_.rows->probability(i), q = spec_.columns->probability(j);
    Real z = 0;
    for (std::size_t l = 0; l <= d_; ++l) z += a_[i][l] * xbar_[l];
    const auto q_of_step = static_cast<double>(1 / (sigma_ * stretch(m_ * p)));
    const Real next = std::visit(
        [&](const auto& l) {
          return l.dual_step(problem_.scalar().target[i], static_cast<double>(z), static_cast<double>(y_[i]),
                             q_of_step);
        },
        loss_);
    const Real dy = next - y_[i];
    std::vector<Real> ybar = y_;
    ybar[i] += dy / p;
    const std::vector<Real> before = x_;
    const Real tau = tau_ * stretch(k_ * q), l1 = tau * problem_.penalty.l1();
    const Real u = x_[j] - tau * sum(ybar, j);
    x_[j] = (u > l1 ? u - l1 : u < -l1 ? u + l1 : 0) / (1 + tau * problem_.penalty.l2());
    x_[d_] = (x_[d_] - tau_bias_ * sum(ybar, d_) + tau_bias_ * problem_.penalty.l2() * center_) /
             (1 + tau_bias_ * problem_.penalty.l2());
    y_[i] = next;
    xbar_ = x_;
    xbar_[j] += (spec_.extrapolation == ColumnExtrapolation::plain ? theta_ : theta_ / q) * (x_[j] - before[j]);
    xbar_[d_] += theta_ * (x_[d_] - before[d_]);
    spec_.rows->feedback(i, static_cast<double>(std::abs(dy) * m_ * p / sigma_));
    spec_.columns->feedback(j, static_cast<double>(std::abs(x_[j] - before[j]) * k_ * q / tau_));
  }

  Real sum(const std::vector<Real>& y, std::size_t j) const {  // over all rows, of c_i y_i a_ij
    Real total = 0;
    for (std::size_t i = 0; i < y.size(); ++i) total += problem_.normalized_weight[i] * y[i] * a_[i][j];
    return total;
  }
  Real stretch(Real mp) const { return spec_.clip ? std::min(1 / mp, mp) : 1 / mp; }

  const Problem& problem_;
  DoublyStochasticSpec spec_;
  Matrix a_;  // with the intercept's entries
  Loss loss_;
  double t_;
  std::size_t d_;
  Real m_ = 0, k_ = 0, tau_ = 0, sigma_ = 0, theta_ = 0, tau_bias_ = 0, center_ = 0;
  std::vector<Real> x_, xbar_, y_;
};

}  // namespace seesaw::test
