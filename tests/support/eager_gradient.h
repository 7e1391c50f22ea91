// A reference of SAG, SAGA, SVRG and Katyusha by the head comments of their engines: dense, in long double, every
// coordinate updated in every step. For the engines with deferred updates.
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "model/intercept.h"
#include "solvers/parts/dual/free_intercept.h"
#include "solvers/parts/sampling/uniform_draws.h"
#include "support/table.h"

namespace seesaw::test {

enum class GradientMethod { sag, saga, svrg, katyusha };

class EagerGradient {
 public:
  using Real = long double;
  using Vector = std::vector<Real>;

  EagerGradient(const Problem& problem, GradientMethod method, double step, Draw draw, std::uint64_t seed)
      : problem_(problem),
        method_(method),
        a_(matrix_of(*problem.data)),
        loss_(problem.scalar().loss),
        y_(problem.n()) {
    const std::vector<double> norms = squared_row_norms(*problem.data);
    t_ = std::sqrt(squared_bias_entry(problem, norms, problem.penalty.l2(), problem.gamma()));
    const Real t2 = Real(t_) * t_;
    Real at_zero = 0, largest = 0;
    for (std::size_t i = 0; i < problem.n(); ++i) {
      at_zero += problem.normalized_weight[i] *
                 std::visit([&](const auto& l) { return l.value(problem.scalar().target[i], 0); }, loss_);
      if (norms[i] + t2 > 0) rows_.push_back(static_cast<std::uint32_t>(i));
      else y_[i] = derivative(i, 0);  // of the original loss, without smoothing
      largest = std::max(largest, problem.normalized_weight[i] * (norms[i] + t2));
    }
    n_ = static_cast<Real>(rows_.size());
    if (problem.gamma() == 0) loss_ = smoothed(loss_, static_cast<double>(at_zero) * 1e-2);  // the initial smoothing
    L_ = n_ * largest / gamma_of(loss_) + problem.penalty.l2();
    step_ = step;
    for (auto& row : a_) row.push_back(t_);
    if (draw == Draw::iid) sampler_ = std::make_unique<UniformSampler>(rows_, Rng(seed));
    else sampler_ = std::make_unique<ShuffledSampler>(rows_, Rng(seed));
    x_.assign(problem.d() + 1, 0);
    if (t_ > 0) x_.back() = intercepts_alone(problem)[0] / t_;
    z_ = w_ = x_;
    s_ = gradient();
  }

  void epoch() {
    if (method_ == GradientMethod::sag || method_ == GradientMethod::saga) {
      for (std::size_t k = 0; k < problem_.n(); ++k) table_step(draw());
    } else {
      for (const std::uint32_t i : rows_) y_[i] = derivative(i, score(i, x_));
      s_ = gradient();
      method_ == GradientMethod::svrg ? svrg_period() : katyusha_period();
    }
  }

  std::vector<double> x() const { return std::vector<double>(x_.begin(), x_.end() - 1); }
  double intercept() const { return static_cast<double>(t_ * x_.back()); }
  std::vector<double> y() const {  // the table, or the derivatives at the next snapshot
    std::vector<double> y(y_.begin(), y_.end());
    if (method_ == GradientMethod::svrg || method_ == GradientMethod::katyusha)
      for (const std::uint32_t i : rows_) y[i] = derivative(i, score(i, x_));
    return y;
  }

 private:
  std::uint32_t draw() {
    std::uint32_t i;
    sampler_->fill({&i, 1});
    return i;
  }
  double derivative(std::size_t i, Real z) const {
    return std::visit([&](const auto& l) { return l.derivative(problem_.scalar().target[i], static_cast<double>(z)); },
                      loss_);
  }
  Real score(std::size_t i, const Vector& x) const {
    Real z = 0;
    for (std::size_t j = 0; j < x.size(); ++j) z += a_[i][j] * x[j];
    return z;
  }
  Vector gradient() const {  // sum c_i y_i a_i
    Vector s(x_.size());
    for (std::size_t i = 0; i < a_.size(); ++i)
      for (std::size_t j = 0; j < s.size(); ++j) s[j] += problem_.normalized_weight[i] * y_[i] * a_[i][j];
    return s;
  }
  // x <- prox(x - eta (s + derivative a_i)); the intercept's coordinate has no penalty.
  void prox_step(Vector& x, Real eta, std::size_t i, Real derivative) const {
    for (std::size_t j = 0; j < x.size(); ++j) {
      const Real u = x[j] - eta * (s_[j] + derivative * a_[i][j]), l1 = eta * problem_.penalty.l1();
      if (j == problem_.d()) x[j] = u;
      else x[j] = (u > l1 ? u - l1 : u < -l1 ? u + l1 : 0) / (1 + eta * problem_.penalty.l2());
    }
  }

  void table_step(std::size_t i) {
    const Real y = derivative(i, score(i, x_)), dy = y - y_[i], c = problem_.normalized_weight[i];
    prox_step(x_, step_ / L_, i, method_ == GradientMethod::saga ? n_ * c * dy : c * dy);
    for (std::size_t j = 0; j < s_.size(); ++j) s_[j] += c * dy * a_[i][j];
    y_[i] = y;
  }

  void svrg_period() {
    for (std::size_t k = 0; k < 2 * problem_.n(); ++k) {
      const std::uint32_t i = draw();
      prox_step(x_, step_ / L_, i, n_ * problem_.normalized_weight[i] * (derivative(i, score(i, x_)) - y_[i]));
    }
  }

  void katyusha_period() {  // x_: the snapshot, w_: the y of the paper
    const Real m = 2 * static_cast<Real>(problem_.n());
    const Real t1 = std::min(std::sqrt(step_ * m * problem_.penalty.l2() / L_), Real(0.5)), t2 = 0.5;
    const Real al = step_ / (t1 * L_), th = 1 + al * problem_.penalty.l2();
    Vector point(x_.size()), mean(x_.size());
    Real weight = 1, weights = 0;
    for (std::size_t k = 0; k < 2 * problem_.n(); ++k, weight *= th) {
      for (std::size_t j = 0; j < x_.size(); ++j) point[j] = t1 * z_[j] + t2 * x_[j] + (1 - t1 - t2) * w_[j];
      const std::uint32_t i = draw();
      const Vector before = z_;
      prox_step(z_, al, i, n_ * problem_.normalized_weight[i] * (derivative(i, score(i, point)) - y_[i]));
      for (std::size_t j = 0; j < x_.size(); ++j) {
        w_[j] = point[j] + t1 * (z_[j] - before[j]);
        mean[j] += weight * w_[j];
      }
      weights += weight;
    }
    for (std::size_t j = 0; j < x_.size(); ++j) x_[j] = mean[j] / weights;
  }

  const Problem& problem_;
  GradientMethod method_;
  Matrix a_;
  Loss loss_;
  double t_ = 0;
  std::vector<std::uint32_t> rows_;
  Real n_ = 0, L_ = 0, step_ = 0;
  std::unique_ptr<Sampler> sampler_;
  Vector x_, z_, w_, s_, y_;
};

}  // namespace seesaw::test
