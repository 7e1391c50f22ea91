#include "solvers/parts/newton/newton_descent.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/archive.h"
#include "base/parallel_elements.h"
#include "base/stop.h"
#include "base/tree_sum.h"
#include "data/dataset.h"
#include "solvers/parts/newton/row_products.h"

namespace seesaw {
namespace {

constexpr double rounding_of_terms = 0x1p-51;  // of M p, relative to its terms
constexpr double most_drift = 0x1p12;          // of the scores, in units of their rounding

std::size_t width_of(const Rows& rows) {
  return std::visit([](const auto& a) { return a.width(); }, rows);
}

}  // namespace

NewtonDescent::NewtonDescent(const NewtonRows& set, const Loss& loss, double lambda, bool free_intercept,
                             SystemKind system, std::vector<std::uint32_t> unpenalized)
    : set_(set),
      curve_(loss, set.target, set.normalized_weight, leaves_of(set.rows)),
      lambda_(lambda),
      unpenalized_(std::move(unpenalized)),
      free_(free_intercept),
      features_(static_cast<Eigen::Index>(width_of(set.rows))),
      piecewise_(std::holds_alternative<PiecewiseQuadratic>(loss)),
      quadratic_(delta_of(loss) > 0 && lambda > 0 && unpenalized_.empty()),
      h_(set.rows, lambda, free_intercept, 1e-10 / gamma_of(loss), unpenalized_),
      system_(make_newton_system(system)),
      z_(set.target.size()),
      derivative_(z_.size()),
      curvature_(z_.size()),
      gamma_(gamma_of(loss)) {}

void NewtonDescent::serialize(Archive& archive) {
  archive.numbers("descent", primal_, first_, mu_, has_direction_, passes_, steps_, step_length_, updates_, error_);
  archive.array("x", x_);
  archive.array("gradient", g_);
  archive.array("direction", p_);
  archive.rows("z", z_);
  archive.rows("derivative", derivative_);
  archive.rows("curvature", curvature_);
  system_->serialize(archive);
}

double NewtonDescent::penalty(const Eigen::VectorXd& x) const {
  return 0.5 * lambda_ * (unpenalized_.empty() ? x.head(features_).squaredNorm() : penalized_product(x, x));
}

double NewtonDescent::penalized_product(const Eigen::VectorXd& a, const Eigen::VectorXd& b) const {
  if (unpenalized_.empty()) return a.head(features_).dot(b.head(features_));
  double sum = 0;
  auto next = unpenalized_.begin();
  for (Eigen::Index j = 0; j < features_; ++j)
    if (next != unpenalized_.end() && *next == static_cast<std::uint32_t>(j)) ++next;
    else sum += a[j] * b[j];
  return sum;
}

void NewtonDescent::begin(const Eigen::VectorXd& x) {
  x_ = x;
  scores();
  primal_ = curve_.evaluate(z_, z_, 0, derivative_, curvature_).value + penalty(x_);
  gradient();
  first_ = std::max(first_, g_.norm());
}

void NewtonDescent::scores() {
  settled_ = false;
  drift_since_ += std::exchange(drift_, 0);
  const double b = free_ ? x_[features_] : 0;
  if ((x_.head(features_).array() == 0).all()) {
    parallel_elements(z_.size(), [&](std::size_t i) { z_[i] = b; });
    return;
  }
  multiply(set_.rows, x_.data(), z_.data());
  passes_ += 1;
  if (b != 0) parallel_elements(z_.size(), [&](std::size_t i) { z_[i] += b; });
}

void NewtonDescent::follow(double lambda) {
  const double change = lambda - lambda_;
  primal_ += 0.5 * change * penalized_product(x_, x_);
  if (unpenalized_.empty()) {
    g_.head(features_) += change * x_.head(features_);
  } else {
    auto next = unpenalized_.begin();
    for (Eigen::Index j = 0; j < features_; ++j)
      if (next != unpenalized_.end() && *next == static_cast<std::uint32_t>(j)) ++next;
      else g_[j] += change * x_[j];
  }
  lambda_ = lambda;
  h_.set_lambda(lambda);
  has_direction_ = false;
  mu_ = 0;
  first_ = g_.norm();
}

bool NewtonDescent::move_on_line() {
  if (piecewise_) return false;
  std::swap(solved_x_, x_);
  std::swap(solved_z_, z_);
  const bool second = x_.size() > 0;
  if (second) {
    has_direction_ = false;
    p_ = solved_x_ - x_;
    q_.resize(z_.size());
    parallel_elements(q_.size(), [&](std::size_t i) { q_[i] = solved_z_[i] - z_[i]; });
  }
  x_ = solved_x_;
  parallel_copy(solved_z_, z_);
  const double noise = std::exchange(drift_since_, 0) + 1;
  if (!second || !(g_.dot(p_) < 0)) return false;
  const double t = search();  // large where the last two points are nearly the same: q is rounding errors
  if (t * noise <= most_drift) move(t, noise);
  else primal_ = curve_.evaluate(z_, q_, 0, derivative_, curvature_).value + penalty(x_);
  if (drift_ > most_drift) refresh();
  return true;
}

void NewtonDescent::move(double t, double noise) {
  settled_ = false;
  drift_since_ += t * noise + 1;
  drift_ += t * noise + 1;
  x_ += t * p_;
  parallel_elements(z_.size(), [&](std::size_t i) { z_[i] += t * q_[i]; });
  if (!update_gradient(t, noise)) gradient();
}

bool NewtonDescent::update_gradient(double t, double noise) {
  constexpr double rounding = 0x1p-49;  // of the three terms of delta_i
  constexpr double most_rows = 0.25;    // of all
  constexpr int most_updates = 20;      // rounding errors accumulate
  if (!piecewise_ || updates_ >= most_updates) return false;
  weight_.resize(z_.size());
  Eigen::VectorXd product;
  const auto kept = system_->kept_product(p_, product, weight_);
  if (!kept) return false;
  const double *const now = derivative_.data(), *const last = last_derivative_.data(), *const w = weight_.data(),
                      *const q = q_.data();
  const auto delta = [=](std::size_t i) __attribute__((always_inline)) { return now[i] - last[i] - t * w[i] * q[i]; };
  select_in_order(
      z_.size(),
      [=](std::size_t i) __attribute__((always_inline)) {
        return std::abs(delta(i)) > rounding * (std::abs(now[i]) + std::abs(last[i]) + std::abs(t * w[i] * q[i]));
      },
      [&](std::size_t count) {
        changed_.resize(count);
        change_.resize(count);
      },
      [&](std::size_t place, std::size_t i) {
        changed_[place] = static_cast<std::uint32_t>(i);
        change_[place] = delta(i);
      });
  const std::span<const std::uint32_t> rows = changed_;
  const std::span<const double> deltas = change_;
  const Leaves& leaves = leaves_of(set_.rows);
  const std::size_t all = sum_of_ranks(leaves, rows.size());
  if (static_cast<double>(all) > most_rows * static_cast<double>(leaves.all_rows())) return false;
  g_ += t * product;
  g_.head(features_) += t * lambda_ * p_.head(features_);
  for (const std::uint32_t j : unpenalized_) g_[j] -= t * lambda_ * p_[j];
  add_rows(set_.rows, rows, deltas, g_.data());
  if (free_) g_[features_] += sum_over(leaves_for_numbers(set_.rows, rows), deltas);
  passes_ += static_cast<double>(all) / static_cast<double>(std::max<std::size_t>(leaves.all_rows(), 1));
  ++updates_;
  // A delta that is left out is at most 2 rounding c_i (|y_i| + |y'_i|), and sum_i c_i k y_i^2 <= 2 P with w_i = c_i/k.
  const double left_out = 4 * rounding * std::sqrt(2 * std::max(primal_, 0.0)) * kept->root_of_trace;
  error_ += rounding_of_terms * t * (kept->terms(p_) + noise * kept->terms(x_)) + left_out;
  has_direction_ = false;
  return true;
}

void NewtonDescent::gradient() {
  g_.resize(h_.size());
  multiply_transposed(set_.rows, derivative_.data(), g_.data());
  passes_ += 1;
  std::vector<double> of_loss;
  for (const std::uint32_t j : unpenalized_) of_loss.push_back(g_[j]);
  g_.head(features_) += lambda_ * x_.head(features_);
  for (std::size_t k = 0; k < of_loss.size(); ++k) g_[unpenalized_[k]] = of_loss[k];
  if (free_) g_[features_] = sum_over(leaves_of(set_.rows), derivative_);
  has_direction_ = false;
  updates_ = 0;
  error_ = 0;
}

double NewtonDescent::gap(double target_gap) {
  constexpr double accurate = 0.01;  // errors of g, relative to it
  const bool ridge = lambda_ > 0 && unpenalized_.empty();
  if (error_ > accurate * g_.norm()) {
    const double size = g_.head(features_).norm() + error_, at_most = size * size / (2 * lambda_);
    if (ridge && at_most <= target_gap) return at_most;
    gradient();
  }
  if (ridge) return g_.head(features_).squaredNorm() / (2 * lambda_);
  find_direction(target_gap);
  return std::max(0.0, -0.5 * g_.dot(p_));
}

// The tolerance decreases with |g| (superlinear convergence), but not below what the target gap needs:
// |g|^2 = 2 lambda gap.
void NewtonDescent::find_direction(double target_gap) {
  if (has_direction_) return;
  const double size = g_.norm();
  const double forcing = std::min(0.25, std::sqrt(size / std::max(first_, 1e-300)));
  const double tolerance = std::max(forcing * size, 0.25 * std::sqrt(2 * lambda_ * target_gap));
  has_direction_ = true;
  p_.setZero(g_.size());
  if (size == 0) return;
  do {  // repeated with damping if H is singular and p is no descent direction
    if (mu_ > 0)
      parallel_elements(curvature_.size(),
                        [&](std::size_t i) { curvature_[i] += set_.normalized_weight[i] * mu_ / gamma_; });
    h_.set(curvature_);
    passes_ += system_->solve(h_, g_, std::min(tolerance, 0.5 * size), p_);
    if (g_.dot(p_) < 0 && p_.allFinite()) return;
    p_.setZero();
    if (stop_requested()) return;
    mu_ = mu_ < 1 ? std::max(1e-3, 10 * mu_) : infinity;
  } while (mu_ <= 1);
  mu_ = 1;
}

void NewtonDescent::step(double target_gap) {
  settled_ = false;
  find_direction(target_gap);
  if (stop_requested()) return;
  if (!(g_.dot(p_) < 0)) {  // at the minimum up to rounding
    passes_ += 1;
    return;
  }
  if (quadratic_ && steps_ == 0 && system_->residual() != nullptr) return solve_first_step();
  q_.resize(z_.size());
  multiply(set_.rows, p_.data(), q_.data());
  passes_ += 1;
  if (free_) parallel_elements(q_.size(), [&, b = p_[features_]](std::size_t i) { q_[i] += b; });
  const double t = search();
  ++steps_;
  step_length_ = t;
  mu_ = t < 0.1 ? std::clamp(10 * mu_, 1e-3, 1.0) : mu_ > 1e-3 ? mu_ / 10 : 0;
  move(t);
}

void NewtonDescent::solve_first_step() {
  x_ += p_;
  scores();
  primal_ = curve_.evaluate(z_, z_, 0, derivative_, curvature_).value + penalty(x_);
  g_ = *system_->residual();
  Eigen::VectorXd product;
  weight_.resize(z_.size());
  if (const auto kept = system_->kept_product(p_, product, weight_)) error_ += rounding_of_terms * kept->terms(p_);
  has_direction_ = false;
  ++steps_;
  step_length_ = 1;
}

// P(x + t p) is convex: its derivative increases from g.p < 0. t = 1 is accepted if P decreases sufficiently and the
// derivative is at most 0.9 |g.p|; otherwise safeguarded Newton for the zero of the derivative, in a bracket.
double NewtonDescent::search() {
  const double start = g_.dot(p_), before = primal_;
  const double pp = unpenalized_.empty() ? p_.head(features_).squaredNorm() : penalized_product(p_, p_);
  const double xp = penalized_product(x_, p_);
  const double here = penalty(x_);
  double lo = 0, hi = infinity, t = 1;
  if (piecewise_) parallel_copy(derivative_, last_derivative_);
  for (int round = 0; round < 60 && !stop_requested(); ++round) {
    const LossCurve::At at = curve_.evaluate(z_, q_, t, derivative_, curvature_);
    const double value = at.value + here + lambda_ * t * (xp + 0.5 * t * pp);
    const double derivative = at.derivative + lambda_ * (xp + t * pp), curvature = at.curvature + lambda_ * pp;
    const double flat = round == 0 ? 0.9 : 0.3;
    if (std::abs(derivative) <= -flat * start && value <= before + 1e-4 * t * start + 1e-14 * std::abs(before)) {
      primal_ = value;
      return t;
    }
    (derivative > 0 ? hi : lo) = t;
    double next = t - derivative / curvature;
    if (!(lo < next && next < hi && next <= 8 * t)) next = std::isinf(hi) ? 8 * t : 0.5 * (lo + hi);
    if (!(next > lo && next < hi)) break;  // no number in between
    t = next;
  }
  // Limited by floating-point accuracy: the last point before the minimum, where P has not increased.
  const LossCurve::At at = curve_.evaluate(z_, q_, lo, derivative_, curvature_);
  primal_ = at.value + here + lambda_ * lo * (xp + 0.5 * lo * pp);
  return lo;
}

void NewtonDescent::settle_intercept() {
  if (!free_ || std::exchange(settled_, true)) return;
  std::vector<double>& ones = q_;  // the direction is not needed any more
  ones.resize(z_.size());
  parallel_elements(ones.size(), [&](std::size_t i) { ones[i] = 1; });
  double derivative = sum_over(leaves_of(set_.rows), derivative_),
         curvature = sum_over(leaves_of(set_.rows), curvature_);
  bool moved = false;
  for (int round = 0; round < 20 && curvature > 0; ++round) {
    const double move = -derivative / curvature;
    if (std::abs(move) <= 1e-15 * (1 + std::abs(x_[features_]))) break;
    const LossCurve::At at = curve_.evaluate(z_, ones, move, derivative_, curvature_);
    const bool better = std::abs(at.derivative) < std::abs(derivative);
    if (better) {
      parallel_elements(z_.size(), [&](std::size_t i) { z_[i] += move; });
      x_[features_] += move;
      derivative = at.derivative;
      curvature = at.curvature;
      moved = true;
    }
    primal_ = at.value + penalty(x_);
    if (better) continue;
    primal_ = curve_.evaluate(z_, ones, 0, derivative_, curvature_).value + penalty(x_);
    break;
  }
  if (moved) gradient();
}

}  // namespace seesaw
