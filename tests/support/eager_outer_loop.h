// A reference of dual ascent inside an outer loop by the head comments of dual_ascent.h and proximal_point.h: dense, in
// long double, x and b recomputed from y in every step.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "model/intercept.h"
#include "solvers/parts/dual/proximal_point.h"
#include "support/problems.h"

namespace seesaw::test {

using Real = long double;

inline Real shrunk(Real t, Real by) { return std::copysign(std::max(Real(0), std::abs(t) - by), t); }

// g~*(v) of g~ = l1|x| + (lambda/2) x^2 + (kappa/2)(x - center)^2, one coordinate.
inline Real shifted_conjugate(Real v, Real center, Real lambda, Real l1, Real kappa) {
  const Real s = shrunk(v + kappa * center, l1);
  return s * s / (2 * (lambda + kappa)) - kappa / 2 * center * center;
}

class EagerOuterLoop {
 public:
  Real kappa = 0, beta = 0;
  std::vector<Real> y, center, before;
  std::vector<std::uint32_t> drawable;

  // Without an outer loop: spec.K = 0.
  EagerOuterLoop(const Problem& problem, RowStep step, const ProximalPointSpec& spec)
      : y(problem.n()),
        center(problem.d()),
        before(problem.d()),
        problem_(problem),
        step_(step),
        spec_(spec),
        a_(matrix_of(*problem.data)),
        loss_(problem.scalar().loss) {
    Real at_zero = 0, mean = 0, mean_target = 0, largest_square = 0, largest_weight = 0;
    std::vector<double> zeros(problem.d());
    at_zero = slow_primal(problem, zeros, 0);
    if (problem.gamma() == 0) loss_ = smoothed(loss_, static_cast<double>(at_zero) / 100);
    for (std::size_t i = 0; i < problem.n(); ++i) {
      Real square = 0;
      for (double e : a_[i]) square += Real(e) * e;
      square_.push_back(square);
      const Real c = problem.normalized_weight[i];
      mean += c * square;
      mean_target += c * std::abs(problem.scalar().target[i]);
      largest_square = std::max(largest_square, c * square);
      largest_weight = std::max(largest_weight, c);
      if (square > 0 || problem.free_intercept()) drawable.push_back(static_cast<std::uint32_t>(i));
      else
        y[i] = std::visit([&](const auto& l) { return l.derivative(problem.scalar().target[i], 0); },
                          problem.scalar().loss);
    }
    const Real gamma = gamma_of(loss_), lambda = problem.penalty.l2();
    kappa = std::max(Real(0), spec.K * largest_square / gamma - lambda);
    const Real h = std::sqrt(spec.mu * lambda / (spec.mu * lambda + kappa));
    beta = spec.momentum ? (1 - h) / (1 + h) : 0;
    if (problem.free_intercept()) {
      Real t2 = std::max(mean / 3, (gamma > 0 ? 3 * gamma : mean_target) * (lambda + kappa));
      if (step == RowStep::derivative)
        t2 = std::min(t2, ((lambda + kappa) * gamma - largest_square) / (2 * largest_weight));
      inverse_intercept_penalty_ = t2 / (lambda + kappa);
      intercept_center_ = intercepts_alone(problem)[0];
    }
    intercept_before_ = intercept();
    xi_ = slow_primal(problem, zeros, 0) - slow_dual(problem, as_doubles(y));
  }

  void epoch(const std::vector<std::uint32_t>& rows) {
    if (kappa > 0 && passes_ > 0 && solved()) {
      const std::vector<Real> now = x();
      Real against = 0;
      for (std::size_t j = 0; j < now.size(); ++j) against += (center[j] - now[j]) * (now[j] - before[j]);
      const Real momentum = spec_.restart && against > 0 ? 0 : beta, b = intercept();
      for (std::size_t j = 0; j < now.size(); ++j) center[j] = now[j] + momentum * (now[j] - before[j]);
      if (spec_.restart) intercept_center_ += momentum * (b - intercept_before_);
      before = now;
      intercept_before_ = b;
      passes_ = 0;
    }
    for (std::uint32_t i : rows) step(i);
    intercept_center_ = intercept();
    ++passes_;
  }

  std::vector<Real> v() const {
    std::vector<Real> result(problem_.d());
    for (std::size_t i = 0; i < y.size(); ++i)
      for (std::size_t j = 0; j < result.size(); ++j) result[j] -= problem_.normalized_weight[i] * y[i] * a_[i][j];
    return result;
  }
  std::vector<Real> x() const {  // of the problem with the proximal term
    std::vector<Real> result = v();
    for (std::size_t j = 0; j < result.size(); ++j)
      result[j] = shrunk(result[j] + kappa * center[j], problem_.penalty.l1()) / (problem_.penalty.l2() + kappa);
    return result;
  }
  std::vector<Real> x_of_dual() const {  // of the original problem
    std::vector<Real> result = v();
    for (Real& r : result) r = shrunk(r, problem_.penalty.l1()) / problem_.penalty.l2();
    return result;
  }
  Real intercept() const {
    Real sum = 0;
    for (std::size_t i = 0; i < y.size(); ++i) sum += problem_.normalized_weight[i] * y[i];
    return intercept_center_ - inverse_intercept_penalty_ * sum;
  }

  // P~ - D~, from the formulas; smooth losses without a free intercept.
  Real gap_with_outer_term() const {
    const std::vector<Real> primal = x(), dual = v();
    const std::string name(problem_.kind->name);
    Real gap = 0;
    for (std::size_t i = 0; i < y.size(); ++i) {
      Real z = 0;
      for (std::size_t j = 0; j < primal.size(); ++j) z += a_[i][j] * primal[j];
      const Real k = problem_.loss_parameter, b = problem_.scalar().target[i];
      gap += problem_.normalized_weight[i] *
             (phi_by_hand<Real>(name, k, b, z) + conjugate_by_hand<Real>(name, k, b, y[i]));
    }
    for (std::size_t j = 0; j < primal.size(); ++j) {
      const Real distance = primal[j] - center[j];
      gap += problem_.penalty.l2() / 2 * primal[j] * primal[j] + problem_.penalty.l1() * std::abs(primal[j]) +
             kappa / 2 * distance * distance +
             shifted_conjugate(dual[j], center[j], problem_.penalty.l2(), problem_.penalty.l1(), kappa);
    }
    return gap;
  }

  static std::vector<double> as_doubles(const std::vector<Real>& values) { return {values.begin(), values.end()}; }

 private:
  void step(std::uint32_t i) {
    const std::vector<Real> primal = x();
    Real z = intercept();
    for (std::size_t j = 0; j < primal.size(); ++j) z += a_[i][j] * primal[j];
    const Real q =
        problem_.normalized_weight[i] * (square_[i] / (problem_.penalty.l2() + kappa) + inverse_intercept_penalty_);
    const double b = problem_.scalar().target[i];
    y[i] = std::visit(
        [&](const auto& l) {
          return step_ == RowStep::derivative ? l.derivative(b, double(z))
                                              : l.dual_step(b, double(z), double(y[i]), double(q));
        },
        loss_);
  }

  bool solved() {
    if (spec_.schedule == Schedule::fixed) return passes_ == spec_.inner_passes;
    const Real eta = problem_.penalty.l2() / (problem_.penalty.l2() + 2 * kappa), printed_xi = (1 + 1 / eta) * xi_;
    if (gap_with_outer_term() > eta * printed_xi / (2 * (1 + 1 / eta))) return false;
    xi_ *= 1 - eta / 2;
    return true;
  }

  const Problem& problem_;
  RowStep step_;
  ProximalPointSpec spec_;
  Matrix a_;
  Loss loss_;
  std::vector<Real> square_;
  Real inverse_intercept_penalty_ = 0, intercept_center_ = 0, intercept_before_ = 0, xi_ = 0;
  std::size_t passes_ = 0;
};

}  // namespace seesaw::test
