#include "solvers/engines/working_set.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/archive.h"
#include "base/stop.h"
#include "base/tree_sum.h"
#include "model/screening.h"
#include "solvers/engines/working_set_settings.h"
#include "solvers/parts/common/dual_sums.h"
#include "solvers/parts/l1/feature_penalty.h"
#include "solvers/parts/l1/losses_at_scores.h"
#include "solvers/parts/l1/scaled_dual.h"
#include "solvers/parts/l1/set_model.h"

namespace seesaw {
namespace {

using namespace working_set_settings;

template <class LossType>
class WorkingSet final : public Solver {
 public:
  WorkingSet(const Problem& problem, const LossType& loss, const WorkingSetSpec& spec, const Start& start)
      : problem_(problem),
        loss_(loss),
        spec_(spec),
        kept_rows_(problem.data->rows),
        norm_(screening_norms(problem)),
        l1_(problem.penalty.l1()),
        uniform_(problem.penalty.uniform()),
        of_features_(problem.penalty),
        quadratic_(loss.delta() > 0),
        model_(problem.free_intercept()) {
    const auto n = static_cast<double>(problem.all_rows()), nnz = static_cast<double>(problem.data->nnz);
    min_set_size_ = static_cast<std::size_t>(std::clamp(std::sqrt(2 * nnz / n), smallest_set, largest_first_set));
    begin(start);
    evaluate();
    if (spec_.path) l1_ = std::max(problem_.penalty.l1(), path_factor * largest_);
  }

  void epoch() override {
    choose_set();
    solve_on_set();
    if (stop_requested()) return;  // the invariant holds
    evaluate();
    if (l1_ > problem_.penalty.l1()) l1_ = std::max(problem_.penalty.l1(), path_factor * std::min(l1_, largest_));
    entries_ += std::max(entries_of_epoch_, 0.01 * static_cast<double>(problem_.data->nnz) + 1);  // always increases
    entries_of_epoch_ = 0;
  }

  void read(Point& point) override {
    point.x = x_;
    point.intercept = {b_};
    point.y = y_;
  }
  Work work() const override {
    return {entries_ / (2 * std::max(1.0, static_cast<double>(problem_.data->nnz))), entries_, gap_};
  }
  Diagnostics diagnostics() const override {
    return {{{"working_set", static_cast<double>(model_.features().size())},
             {"features_left", static_cast<double>(kept_.size())},
             {"newton_steps", newton_steps_},
             {"path_l1", l1_},
             {"damping", mu_}}};
  }
  bool resumable() const override { return true; }
  void serialize(Archive& archive) override {
    archive.numbers("ws", l1_, b_, largest_, scale_, best_dual_, gap_, target_, accuracy_, solved_l1_, mu_, weighed_,
                    fresh_, outdated_, entries_, entries_of_epoch_, newton_steps_);
    archive.optional("loss", loss_now_);
    archive.array("x", x_);
    archive.array("kept", kept_);
    archive.array("v", v_);
    for (std::vector<double>* of_rows : {&z_, &y_, &weight_}) archive.rows("rows", *of_rows);
    model_.serialize(archive, problem_.data->rows);
    if (archive.saving()) return;
    kept_rows_ = problem_.data->rows;
    if (kept_.size() < problem_.d()) kept_rows_ = select_columns(kept_rows_, kept_);
  }
  void on_check(const Checked& checked) override {
    if (gap_ <= target_ && checked.gap > target_) {  // the gap computed here was not confirmed
      accuracy_ *= accuracy_after_check;
      keep_all();
      evaluate();
      gap_ = std::max(gap_, checked.gap);
    }
    target_ = checked.target;
  }

 private:
  void begin(const Start& start) {
    const std::size_t n = problem_.n();
    x_ = starting_point(problem_, start);
    b_ = starting_intercepts(problem_, start)[0];
    z_.resize(n);
    if (std::any_of(x_.begin(), x_.end(), [](double xj) { return xj != 0; }))
      multiply(problem_.data->rows, x_.data(), z_.data());
    for (double& z : z_) z += b_;
    cy_.resize(n);
    weight_.resize(n);
    keep_all();
  }
  void keep_all() {
    kept_rows_ = problem_.data->rows;
    kept_.resize(problem_.d());
    std::iota(kept_.begin(), kept_.end(), 0u);
  }

  // ---- all features: P, D, gap, screening --------------------------------------------------------------------------
  double penalty(const std::vector<double>& x) const {
    double sum = 0;
    if (uniform_)
      for (const double xj : x) sum += l1_ * std::abs(xj) + 0.5 * problem_.penalty.l2() * xj * xj;
    else
      for (std::size_t j = 0; j < x.size(); ++j) sum += of_features_.at(j, l1_).value(x[j]);
    return sum;
  }
  double loss_at(double t, const std::vector<double>& move) const { return loss_along(problem_, loss_, z_, t, move); }
  double loss() {
    if (!loss_now_) loss_now_ = loss_at(0, z_);
    return *loss_now_;
  }

  // v, P, D and the gap at the current z; drops features proved to be 0. While l1_ is above that of the problem, v only.
  void evaluate() {
    std::vector<double> y = derivatives_at(problem_, loss_, z_);
    if (problem_.free_intercept()) balance_dual(problem_, y);
    for (std::size_t i = 0; i < y.size(); ++i) cy_[i] = -problem_.normalized_weight[i] * y[i];
    v_.resize(kept_.size());
    multiply_transposed(kept_rows_, cy_.data(), v_.data());
    entries_of_epoch_ += static_cast<double>(entries_of(kept_rows_));
    largest_ = 0;
    if (uniform_)
      for (const double v : v_) largest_ = std::max(largest_, std::abs(v));
    else largest_ = of_features_.largest(kept_, v_);
    scale_ = 1;
    if (l1_ > problem_.penalty.l1()) return;  // on the path: no gap yet

    const double primal = loss() + penalty(x_);
    const double into_box = !uniform_                          ? of_features_.scale_into_domain(kept_, v_)
                            : largest_ > problem_.penalty.l1() ? problem_.penalty.l1() / largest_
                                                               : 1;
    double s = into_box, dual = dual_at(y, into_box);
    if (problem_.penalty.l2() > 0 && into_box < 1)
      if (const double unscaled = dual_at(y, 1); unscaled > dual) {
        s = 1;
        dual = unscaled;
      }
    scale_ = s;
    if (dual > best_dual_) {
      best_dual_ = dual;
      for (double& yi : y) yi *= s;
      y_ = std::move(y);
    }
    gap_ = std::max(0.0, primal - best_dual_);
    if (spec_.screen) screen(primal, std::max(0.0, primal - dual));
  }

  double dual_at(const std::vector<double>& y, double s) const {
    if (uniform_) return dual_value(problem_, loss_, y, v_, s);
    return -conjugate_of_losses(problem_, loss_, y, s) - of_features_.conjugate(kept_, v_, s, x_);
  }

  // Drops features proved to be 0, when they are at least three quarters: the first ones have few entries.
  void screen(double primal, double gap) {
    const double radius = screening_radius(problem_, primal, gap);
    std::vector<std::uint32_t> kept;
    for (std::size_t k = 0; k < kept_.size(); ++k) {
      const std::uint32_t j = kept_[k];
      if (x_[j] != 0 || !proved_zero(scale_ * v_[k], norm_[j], radius, problem_.penalty.l1(j)))
        kept.push_back(static_cast<std::uint32_t>(k));
    }
    if (4 * kept.size() > kept_.size()) return;
    entries_of_epoch_ += static_cast<double>(entries_of(kept_rows_));
    kept_rows_ = select_columns(kept_rows_, kept);
    for (std::size_t k = 0; k < kept.size(); ++k) {
      kept_[k] = kept_[kept[k]];
      v_[k] = v_[kept[k]];
    }
    kept_.resize(kept.size());
    v_.resize(kept.size());
  }

  // ---- the working set ---------------------------------------------------------------------------------------------
  void choose_set() {
    struct Near {
      double distance;
      std::uint32_t k;  // position in kept_
    };
    const std::vector<std::uint32_t>& set = model_.features();
    std::vector<Near> outside;
    std::vector<std::uint32_t> chosen;
    std::size_t violators = 0;
    for (std::uint32_t k = 0; k < kept_.size(); ++k) {
      const std::uint32_t j = kept_[k];
      const double l1 = uniform_ ? l1_ : of_features_.at(j, l1_).l1;
      const double v = uniform_ ? std::abs(v_[k]) : of_features_.relevant_size(j, v_[k]);
      if (x_[j] != 0 || l1 == 0) {
        chosen.push_back(k);
      } else if (norm_[j] > 0) {
        outside.push_back({(l1 - scale_ * v) / norm_[j], k});
        violators += v > l1 && !std::binary_search(set.begin(), set.end(), j);
      }
    }
    if (violators == 0 && !set.empty() && l1_ == solved_l1_) {  // the set is complete: solve it more accurately
      accuracy_ *= accuracy_on_same_set;
      return;
    }
    const std::size_t size = chosen.size() + std::max(chosen.size(), std::min(violators, 2 * chosen.size()));
    const std::size_t more = std::min(outside.size(), std::max(size, min_set_size_) - chosen.size());
    std::nth_element(
        outside.begin(), outside.begin() + static_cast<std::ptrdiff_t>(more), outside.end(),
        [](const Near& a, const Near& b) { return std::tie(a.distance, a.k) < std::tie(b.distance, b.k); });
    for (std::size_t i = 0; i < more; ++i) chosen.push_back(outside[i].k);
    std::sort(chosen.begin(), chosen.end());
    std::vector<std::uint32_t> features;
    for (const std::uint32_t k : chosen) features.push_back(kept_[k]);
    model_.choose(select_columns(kept_rows_, chosen), std::move(features));
    entries_of_epoch_ += static_cast<double>(entries_of(kept_rows_));
    weighed_ = false;
  }

  // ---- P over the working set --------------------------------------------------------------------------------------
  void solve_on_set() {
    solved_l1_ = l1_;
    double size = 0;
    for (const double xj : x_) size += std::abs(xj);
    const bool on_path = l1_ > problem_.penalty.l1();
    const double for_gap =
        on_path ? infinity : accuracy_ * std::max(target_fraction * target_, gap_fraction * gap_) / size;
    const double tolerance =
        std::min(for_gap, l1_fraction * l1_);  // of |v_j| - l1: it adds |x|_1 times that to the gap
    double before = infinity;
    for (int step = 0; step < max_newton_steps; ++step) {
      if (stop_requested()) return;
      update_derivatives();
      const double violation = violation_on_set();
      if (violation <= tolerance && step > 0) return;
      if (step > 0 && !fresh_ && violation > slow_rate * before) outdated_ = true;
      before = violation;
      if (outdated_ || !weighed_) weigh();
      else fresh_ = false;
      if (stop_requested()) return;
      if (!newton_step(quadratic_ ? tolerance : std::max(0.3 * tolerance, 0.1 * violation)) || quadratic_) return;
    }
  }

  void update_derivatives() {  // s = A_W^T C y, and sum_i c_i y_i for the intercept
    parallel_chunks(chunks_of(z_.size()), [&](std::size_t, std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i)
        cy_[i] = problem_.normalized_weight[i] * loss_.derivative(scalar_.target[i], z_[i]);
    });
    derivative_.resize(static_cast<Eigen::Index>(model_.features().size()));
    multiply_transposed(model_.rows(), cy_.data(), derivative_.data());
    entries_of_epoch_ += model_.entries();
    derivative_b_ = problem_.free_intercept() ? sum_over(problem_.leaves(), cy_) : 0;
  }

  double violation_on_set() const {  // the largest violation of the optimality conditions
    double largest = std::abs(derivative_b_);
    for (Eigen::Index k = 0; k < derivative_.size(); ++k) {
      const double x = x_[feature_at(k)], s = derivative_[k] + problem_.penalty.l2() * x;
      if (!uniform_) largest = std::max(largest, violation_of(of_features_.at(feature_at(k), l1_), x, derivative_[k]));
      else largest = std::max(largest, x == 0 ? std::abs(s) - l1_ : std::abs(s + std::copysign(l1_, x)));
    }
    return largest;
  }
  const Coordinate& of_set(Eigen::Index k) const { return penalty_of_set_[static_cast<std::size_t>(k)]; }
  std::uint32_t feature_at(Eigen::Index k) const { return model_.features()[static_cast<std::size_t>(k)]; }

  // Sets the weights c_i phi_i''(z_i) of the model: at this point, or, if it saves work, those of an earlier point. For
  // the squared loss they are constant.
  void weigh() {
    const bool kept = quadratic_ ? !outdated_ : !outdated_ && model_.saves_by_keeping();
    fresh_ = !kept;
    if (fresh_)
      parallel_chunks(chunks_of(z_.size()), [&](std::size_t, std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i)
          weight_[i] = problem_.normalized_weight[i] *
                       (quadratic_ ? 1 / loss_.gamma() : loss_.second_derivative(scalar_.target[i], z_[i]));
      });
    Eigen::VectorXd damping(derivative_.size());
    for (Eigen::Index k = 0; k < damping.size(); ++k) {
      const double norm = norm_[feature_at(k)];
      damping[k] = quadratic_ ? 0 : mu_ * norm * norm / loss_.gamma();
    }
    model_.weigh(weight_, kept, std::move(damping), quadratic_ ? 0 : mu_ / loss_.gamma());
    entries_of_epoch_ += model_.entries();
    weighed_ = true;
    outdated_ = false;
  }

  // A step to the minimum of the model with a line search; false if P cannot be decreased.
  bool newton_step(double tolerance) {
    ++newton_steps_;
    Eigen::VectorXd x(derivative_.size());
    for (Eigen::Index k = 0; k < x.size(); ++k) x[k] = x_[feature_at(k)];
    Eigen::VectorXd u = x;
    penalty_of_set_.clear();
    if (!uniform_)
      for (const std::uint32_t j : model_.features()) penalty_of_set_.push_back(of_features_.at(j, l1_));
    const double move_b =
        model_.minimize(derivative_, derivative_b_, {problem_.penalty.l2(), l1_, penalty_of_set_}, tolerance, u);
    const Eigen::VectorXd move = u - x;
    dz_.resize(z_.size());
    multiply(model_.rows(), move.data(), dz_.data());
    entries_of_epoch_ += model_.entries() + model_.entries_used();
    for (double& dz : dz_) dz += move_b;

    if (quadratic_) loss_now_.reset();
    const double t = quadratic_ ? 1 : step_length(x, move, move_b);
    for (Eigen::Index k = 0; k < x.size(); ++k) x_[feature_at(k)] = t == 1 ? u[k] : x[k] + t * move[k];
    if (!uniform_ && t != 1)  // rounding
      for (Eigen::Index k = 0; k < x.size(); ++k) x_[feature_at(k)] = of_set(k).clip(x_[feature_at(k)]);
    b_ += t * move_b;
    for (std::size_t i = 0; i < z_.size(); ++i) z_[i] += t * dz_[i];
    return t > 0;
  }

  double step_length(const Eigen::VectorXd& x, const Eigen::VectorXd& move, double move_b) {
    const auto g = [&](double t) {
      const Eigen::VectorXd at = x + t * move;
      if (!uniform_) {
        double sum = 0;
        for (Eigen::Index k = 0; k < at.size(); ++k) sum += of_set(k).value(of_set(k).clip(at[k]));
        return sum;
      }
      return l1_ * at.lpNorm<1>() + 0.5 * problem_.penalty.l2() * at.squaredNorm();
    };
    const double before = loss() + g(0);
    const double predicted = predicted_change(x, move, derivative_,
                                              [&](Eigen::Index k) {
                                                return uniform_ ? std::pair(problem_.penalty.l2(), l1_)
                                                                : std::pair(of_set(k).l2, of_set(k).l1);
                                              }) +
                             derivative_b_ * move_b;
    const double rounding = rounding_of_primal * std::abs(before);
    if (!(predicted <= rounding) || (move.isZero(0) && move_b == 0)) return 0;
    for (double t = 1; t > shortest_step; t *= 0.5) {
      const double loss_there = loss_at(t, dz_);
      if (!(loss_there + g(t) <= before + sufficient_decrease * t * predicted + rounding)) continue;
      loss_now_ = loss_there;
      if (t == 1) mu_ = std::max(0.1 * mu_, smallest_damping);
      if (t < short_step) increase_damping(10);
      return t;
    }
    increase_damping(100);
    return 0;
  }
  void increase_damping(double factor) {
    mu_ = std::max(factor * mu_, first_damping);
    outdated_ = true;
  }

  const Problem& problem_;
  const ScalarForm& scalar_ = problem_.scalar();
  LossType loss_;
  WorkingSetSpec spec_;
  Rows kept_rows_;            // A restricted to kept_
  std::vector<double> norm_;  // |a_j|_c
  double l1_;
  bool uniform_;                            // the penalty is the same for all features
  FeaturePenalty of_features_;              // otherwise: by feature,
  std::vector<Coordinate> penalty_of_set_;  // and on the working set
  bool quadratic_;                          // the squared loss: the model equals P

  std::vector<double> x_, z_, cy_, y_, weight_, dz_;
  double b_ = 0;
  std::optional<double> loss_now_;   // sum c_i phi_i(z_i), if known
  std::vector<std::uint32_t> kept_;  // features, ascending
  std::vector<double> v_;            // of these, before y is scaled
  double largest_ = 0;               // max |v_j|
  double scale_ = 1;                 // of y, into the box |v_j| <= l1
  double best_dual_ = -infinity, gap_ = infinity;
  double target_ = 0;    // the gap that ends the run
  double accuracy_ = 1;  // factor of the tolerance on the set

  SetModel model_;
  std::size_t min_set_size_ = 50;
  double solved_l1_ = 0;  // l1_ of the last solve_on_set()
  Eigen::VectorXd derivative_;
  double derivative_b_ = 0, mu_ = smallest_damping;
  bool weighed_ = false, fresh_ = false, outdated_ = true;  // the model: has weights, of this point, no longer good
  double entries_ = 0, entries_of_epoch_ = 0, newton_steps_ = 0;
};

}  // namespace

std::unique_ptr<Solver> make_working_set(const Problem& problem, const WorkingSetSpec& spec, const Start& start) {
  return std::visit(
      [&]<class LossType>(const LossType& loss) -> std::unique_ptr<Solver> {
        return std::make_unique<WorkingSet<LossType>>(problem, loss, spec, start);
      },
      problem.scalar().loss);
}

}  // namespace seesaw
