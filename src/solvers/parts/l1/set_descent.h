// P over a working set W of features and the intercept, by proximal Newton steps:
//
//     s = A_W^T C y,  H = A_W^T diag(c_i phi_i''(z_i)) A_W        y_i = phi_i'(z_i)
//     u = argmin s.(u - x) + 1/2 (u - x)^T H (u - x) + g(u)       (parts/l1/set_model.h)
//     x <- x + t (u - x),  t = 1, 1/2, ... until P decreases by 1/1000 of the predicted change
//
// once for the squared loss (the model is P), until it is solved for others. The free intercept is eliminated from each
// model exactly. For losses without curvature on parts of their domain, mu |a_j|_c^2/gamma is added to the diagonal of H,
// mu growing after short steps. Where the matrix of H is most of the work, the weights of an earlier point are kept as
// long as each step reduces the violation of the optimality conditions enough.
//
// The squared loss with a set of all features (choose_all): s <- s + H (u - x) instead of a product by A^T, until a
// certificate does not confirm the gap that follows from it (track).
#pragma once

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "base/elementary.h"
#include "base/stop.h"
#include "base/tree_sum.h"
#include "model/problem.h"
#include "solvers/parts/l1/feature_penalty.h"
#include "solvers/parts/l1/losses_at_scores.h"
#include "solvers/parts/l1/set_model.h"

namespace seesaw {

struct PrimalPoint {
  std::vector<double> x, z;  // z = A x + b
  double b = 0;
  std::optional<double> loss;  // sum c_i phi_i(z_i), if known
};

template <class LossType>
class SetDescent {
 public:
  // `norms`: |a_j|_c. All must outlive this.
  SetDescent(const Problem& problem, const LossType& loss, const FeaturePenalty& of_features,
             const std::vector<double>& norms)
      : problem_(problem),
        loss_(loss),
        of_features_(of_features),
        norm_(norms),
        uniform_(problem.penalty.uniform()),
        quadratic_(loss.delta() > 0),
        model_(problem.free_intercept(), !quadratic_),
        cy_(problem.n()),
        weight_(problem.n()) {}

  const std::vector<std::uint32_t>& features() const { return model_.features(); }
  const Rows& rows() const { return model_.rows(); }   // of these features
  double entries() const { return model_.entries(); }  // of these rows
  bool has_matrix() const { return model_.has_matrix(); }
  double damping() const { return mu_; }
  double newton_steps() const { return newton_steps_; }
  double take_entries() { return std::exchange(entries_, 0.0); }  // of A used since the last call

  void choose(SetRows set) {
    model_.choose(std::move(set));
    weighed_ = known_ = given_ = false;
  }

  // All features, with a matrix; the squared loss: the derivatives at every point follow from it.
  void choose_all(const Rows& rows) {
    std::vector<std::uint32_t> all(problem_.d());
    std::iota(all.begin(), all.end(), 0u);
    model_.choose({rows, std::nullopt, std::move(all)}, true);
    weighed_ = false;
    track(quadratic_);
  }
  void track(bool on) {  // off: derivatives are computed from the data at every point, which is more exact
    tracks_ = on;
    known_ = false;
  }
  bool tracks() const { return tracks_ && known_; }
  const Eigen::VectorXd& derivatives() const { return derivative_; }  // s at the current point, where tracks()
  // Moves a tracked point by P's own quadratic if that decreases P by more than `rise` of the penalty; z follows with
  // the next step, or with complete_scores().
  bool move(PrimalPoint& at, const Eigen::VectorXd& by, double by_b, double rise) {
    const auto [change, change_b] = model_.image(by, by_b);
    const double loss_change = by.dot(derivative_ + 0.5 * change) + by_b * (derivative_b_ + 0.5 * change_b);
    if (!(loss_change + rise < 0)) return false;
    at.loss = loss(at) + loss_change;
    for (Eigen::Index k = 0; k < by.size(); ++k) at.x[feature_at(k)] += by[k];
    at.b += by_b;
    derivative_ += change;
    derivative_b_ += change_b;
    if (pending_.size() == 0) pending_.setZero(by.size());
    pending_ += by;
    pending_b_ += by_b;
    return true;
  }
  void complete_scores(PrimalPoint& at) {
    if (pending_.size() == 0) return;
    model_.multiply(pending_.data(), dz_.data());
    entries_ += model_.entries();
    for (std::size_t i = 0; i < at.z.size(); ++i) at.z[i] += dz_[i] + pending_b_;
    forget_pending();
  }

  void set_scores(PrimalPoint& at) const {  // z, for an x that is 0 outside of the set
    std::vector<double> x;
    for (const std::uint32_t j : features()) x.push_back(at.x[j]);
    at.z.resize(problem_.n());
    model_.multiply(x.data(), at.z.data());
    for (double& z : at.z) z += at.b;
  }

  double loss(PrimalPoint& at) const {
    if (!at.loss) at.loss = loss_along(problem_, loss_, at.z, 0, at.z);
    return *at.loss;
  }

  // Until the optimality conditions over the set are violated by at most `tolerance`. `l1`: that of the path.
  void solve(PrimalPoint& at, double l1, double tolerance) {
    l1_ = l1;
    double before = infinity;
    for (int step = 0; step < max_newton_steps; ++step) {
      if (stop_requested()) return;
      if (!tracks()) update_derivatives(at);
      const double violation = violation_on_set(at);
      if (violation <= tolerance && step > 0) return;
      if (step > 0 && weights_are_outdated(violation, before, tolerance)) outdated_ = true;
      const double rate = violation / before;
      before = violation;
      if (outdated_ || !weighed_ || (!quadratic_ && !model_.has_matrix())) weigh();
      else fresh_ = false;
      if (stop_requested()) return;
      const double accuracy = model_.has_matrix() ? accuracy_with_matrix : accuracy_without;
      const double step_tolerance = quadratic_ ? tolerance : std::max(0.3 * tolerance, accuracy * violation);
      if (!newton_step(at, step_tolerance) || quadratic_) return;
      // The next violation is likely to be below the tolerance: the derivatives over all features will show it.
      if (step > 0 && bounded_ && (fresh_ ? std::max(rate * rate, accuracy) : 2 * rate) * violation <= tolerance)
        return;
    }
  }
  // s at the current point, from a product that was made for another purpose.
  void know(Eigen::VectorXd derivative) {
    if (known_) return;
    derivative_ = std::move(derivative);
    derivative_b_ = 0;
    given_ = true;
  }

  // `rows`: of all features.
  void serialize(Archive& archive, const Rows& rows) {
    archive.numbers("descent", mu_, weighed_, fresh_, outdated_, entries_, newton_steps_, tracks_, known_,
                    derivative_b_);
    archive.rows("rows", weight_);
    archive.array("derivative", derivative_);
    model_.serialize(archive, rows);
  }

 private:
  static constexpr int max_newton_steps = 50;
  static constexpr double typical_rate = 0.05;  // of a step with new weights, near the solution
  static constexpr double row_cost = 8;         // of the losses of a row and their derivatives, in entries of A
  // Of a step, relative to the violation: a sweep over a matrix costs little beside the products by A_W
  static constexpr double accuracy_with_matrix = 0.02, accuracy_without = 0.1;
  static constexpr double sufficient_decrease = 1e-3;  // of the predicted change of P
  static constexpr double shortest_step = 1e-8;
  static constexpr double rounding_of_primal = 1e-14;  // relative
  static constexpr double smallest_damping = 1e-12, first_damping = 1e-4;
  static constexpr double short_step = 0.2;  // damping grows after shorter steps

  void update_derivatives(PrimalPoint& at) {  // s = A_W^T C y, and sum_i c_i y_i for the intercept
    complete_scores(at);
    if (!quadratic_ || !given_) weighted_derivatives(problem_, loss_, at.z, cy_, curvature_);
    known_ = true;
    if (std::exchange(given_, false)) return;
    derivative_.resize(static_cast<Eigen::Index>(features().size()));
    model_.multiply_transposed(cy_.data(), derivative_.data());
    entries_ += model_.entries();
    derivative_b_ = problem_.free_intercept() ? sum_over(problem_.leaves(), cy_) : 0;
  }

  // Whether weights of this point save work until `tolerance` is reached. A step with new weights reduces the violation
  // by about the square of the last one's rate, and one with those of the last point by twice that rate.
  bool weights_are_outdated(double violation, double before, double tolerance) const {
    if (quadratic_ || !model_.has_matrix()) return false;
    const double rate = violation / before, kept = std::min(fresh_ ? 2 * rate : rate, 0.95);
    const double left = log_of(std::max(violation / tolerance, 1.0));
    double fresh = fresh_ ? std::min(rate * rate, 0.3) : typical_rate, steps = 0;
    for (double l = left; l > 0; l += log_of(fresh), fresh *= fresh) ++steps;
    const double of_step = 2 * model_.entries() + row_cost * static_cast<double>(problem_.all_rows());
    return !(rate < 1) || std::ceil(left / -log_of(kept)) * of_step > steps * of_step + model_.matrix_cost();
  }

  double violation_on_set(const PrimalPoint& at) const {  // the largest violation of the optimality conditions
    double largest = std::abs(derivative_b_);
    for (Eigen::Index k = 0; k < derivative_.size(); ++k) {
      const double x = at.x[feature_at(k)], s = derivative_[k] + problem_.penalty.l2() * x;
      if (!uniform_) largest = std::max(largest, violation_of(of_features_.at(feature_at(k), l1_), x, derivative_[k]));
      else largest = std::max(largest, x == 0 ? std::abs(s) - l1_ : std::abs(s + std::copysign(l1_, x)));
    }
    return largest;
  }
  const Coordinate& of_set(Eigen::Index k) const { return penalty_of_set_[static_cast<std::size_t>(k)]; }
  std::uint32_t feature_at(Eigen::Index k) const { return features()[static_cast<std::size_t>(k)]; }

  // Sets the weights c_i phi_i''(z_i) of the model: at this point, or, if it saves work, those of an earlier point. For
  // the squared loss they are constant.
  void weigh() {
    const bool kept = quadratic_ ? !outdated_ : !outdated_ && model_.saves_by_keeping();
    fresh_ = !kept;
    if (fresh_ && quadratic_)
      for (std::size_t i = 0; i < weight_.size(); ++i) weight_[i] = problem_.normalized_weight[i] / loss_.gamma();
    else if (fresh_) weight_ = curvature_;
    Eigen::VectorXd damping(derivative_.size());
    for (Eigen::Index k = 0; k < damping.size(); ++k) {
      const double norm = quadratic_ ? 0 : norm_[feature_at(k)];
      damping[k] = mu_ * norm * norm / loss_.gamma();
    }
    model_.weigh(weight_, kept, std::move(damping), quadratic_ ? 0 : mu_ / loss_.gamma());
    entries_ += model_.entries();
    weighed_ = true;
    outdated_ = false;
  }

  // A step to the minimum of the model with a line search; false if P cannot be decreased.
  bool newton_step(PrimalPoint& at, double tolerance) {
    ++newton_steps_;
    Eigen::VectorXd x(derivative_.size());
    for (Eigen::Index k = 0; k < x.size(); ++k) x[k] = at.x[feature_at(k)];
    Eigen::VectorXd u = x;
    penalty_of_set_.clear();
    if (!uniform_)
      for (const std::uint32_t j : features()) penalty_of_set_.push_back(of_features_.at(j, l1_));
    const double move_b =
        model_.minimize(derivative_, derivative_b_, {problem_.penalty.l2(), l1_, penalty_of_set_}, tolerance, u);
    const Eigen::VectorXd move = u - x;
    dz_.resize(at.z.size());
    const bool pending = pending_.size() > 0;
    const Eigen::VectorXd since = pending ? Eigen::VectorXd(move + pending_) : move;  // the last z
    model_.multiply(since.data(), dz_.data());
    entries_ += model_.entries() + model_.entries_used();
    for (double& dz : dz_) dz += pending ? move_b + pending_b_ : move_b;
    forget_pending();
    known_ = tracks_ && model_.has_matrix();
    if (known_) {
      derivative_ = model_.derivative();
      derivative_b_ = 0;
    }

    if (quadratic_) at.loss.reset();
    const double t = quadratic_ ? 1 : step_length(at, x, move, move_b);
    for (Eigen::Index k = 0; k < x.size(); ++k) at.x[feature_at(k)] = t == 1 ? u[k] : x[k] + t * move[k];
    if (!uniform_ && t != 1)  // rounding
      for (Eigen::Index k = 0; k < x.size(); ++k) at.x[feature_at(k)] = of_set(k).clip(at.x[feature_at(k)]);
    at.b += t * move_b;
    for (std::size_t i = 0; i < at.z.size(); ++i) at.z[i] += t * dz_[i];
    return t > 0;
  }

  double step_length(PrimalPoint& from, const Eigen::VectorXd& x, const Eigen::VectorXd& move, double move_b) {
    const auto g = [&](double t) {
      const Eigen::VectorXd at = x + t * move;
      if (!uniform_) {
        double sum = 0;
        for (Eigen::Index k = 0; k < at.size(); ++k) sum += of_set(k).value(of_set(k).clip(at[k]));
        return sum;
      }
      return l1_ * at.lpNorm<1>() + 0.5 * problem_.penalty.l2() * at.squaredNorm();
    };
    const double predicted = predicted_change(x, move, derivative_,
                                              [&](Eigen::Index k) {
                                                return uniform_ ? std::pair(problem_.penalty.l2(), l1_)
                                                                : std::pair(of_set(k).l2, of_set(k).l1);
                                              }) +
                             derivative_b_ * move_b;
    if (move.isZero(0) && move_b == 0) return 0;
    bounded_ = predicted + largest_remainder(problem_, loss_, curvature_, dz_) <= sufficient_decrease * predicted;
    if (bounded_) {
      from.loss.reset();
      mu_ = std::max(0.1 * mu_, smallest_damping);
      return 1;
    }
    const double before = loss(from) + g(0), rounding = rounding_of_primal * std::abs(before);
    if (!(predicted <= rounding)) return 0;
    for (double t = 1; t > shortest_step; t *= 0.5) {
      const double loss_there = loss_along(problem_, loss_, from.z, t, dz_);
      if (!(loss_there + g(t) <= before + sufficient_decrease * t * predicted + rounding)) continue;
      from.loss = loss_there;
      if (t == 1) mu_ = std::max(0.1 * mu_, smallest_damping);
      if (t < short_step) increase_damping(10);
      return t;
    }
    increase_damping(100);
    return 0;
  }
  void forget_pending() {
    pending_.resize(0);
    pending_b_ = 0;
  }
  void increase_damping(double factor) {
    mu_ = std::max(factor * mu_, first_damping);
    outdated_ = true;
  }

  const Problem& problem_;
  const LossType& loss_;
  const FeaturePenalty& of_features_;
  const std::vector<double>& norm_;
  bool uniform_;                            // the penalty is the same for all features; otherwise:
  std::vector<Coordinate> penalty_of_set_;  // on the working set
  bool quadratic_;                          // the squared loss: the model equals P
  double l1_ = 0;

  SetModel model_;
  std::vector<double> cy_, curvature_, weight_, dz_;  // c y and c phi'' at the last point
  Eigen::VectorXd derivative_;
  double derivative_b_ = 0, mu_ = smallest_damping;
  bool weighed_ = false, fresh_ = false, outdated_ = true;  // the model: has weights, of this point, no longer good
  bool tracks_ = false, known_ = false, given_ = false;     // derivative_: follows the point, is that of the point
  Eigen::VectorXd pending_;                                 // the move of x since the last z; empty: none
  double pending_b_ = 0;
  bool bounded_ = false;  // the last step, by the curvature before it
  double entries_ = 0, newton_steps_ = 0;
};

}  // namespace seesaw
