#include "solvers/engines/working_set.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/archive.h"
#include "base/stop.h"
#include "model/screening.h"
#include "solvers/engines/working_set_settings.h"
#include "solvers/follows_penalty.h"
#include "solvers/parts/common/dual_sums.h"
#include "solvers/parts/l1/feature_choice.h"
#include "solvers/parts/l1/feature_penalty.h"
#include "solvers/parts/l1/kept_features.h"
#include "solvers/parts/l1/l1_solution.h"
#include "solvers/parts/l1/nearest_features.h"
#include "solvers/parts/l1/scaled_dual.h"
#include "solvers/parts/l1/set_descent.h"

namespace seesaw {
namespace {

using namespace working_set_settings;

template <class LossType>
class WorkingSet final : public Solver, public FollowsPenalty {
 public:
  WorkingSet(const Problem& problem, const LossType& loss, const WorkingSetSpec& spec, const Start& start)
      : problem_(problem),
        loss_(loss),
        spec_(spec),
        kept_(problem.data->rows),
        l1_(problem.penalty.l1()),
        of_features_(problem.penalty),
        descent_(problem, loss_, of_features_, norm_) {
    min_set_size_ = spec.path ? first_set_of_path(problem) : first_set(problem);
    begin(start);
    use_whole_set(products_of_fit);
    evaluate();
    begin_path();
  }

  void penalty_changed() override {
    l1_ = problem_.penalty.l1();
    best_dual_ = -infinity;
    accuracy_ = 1;
    const bool in_pool = kept_.leave_pool();  // v_ is that of the pool
    if (!std::exchange(following_, true)) use_whole_set(products_of_path);
    else if (whole_ && !descent_.tracks()) descent_.track(true);
    if (in_pool || kept_.features().size() < problem_.d()) {
      kept_.keep_all();
      evaluate();
    } else if (!predict()) {
      bound(derivatives());
    }
    begin_path();
  }
  double primal() override { return descent_.loss(at_) + of_features_.value(at_.x, l1_); }

  void epoch() override {
    improve();
    // The proof of this gap would need arithmetic of twice the precision. Another step costs less, and needs none.
    if (!stop_requested() && proof_needs_precision()) improve(well_below * target_);
    entries_ += std::max(entries_of_epoch_, 0.01 * static_cast<double>(problem_.data->nnz) + 1);  // always increases
    entries_of_epoch_ = 0;
  }

  void read(Point& point) override {
    point.x = at_.x;
    point.intercept = {at_.b};
    point.y = y_;
  }
  Work work() const override {
    return {entries_ / (2 * std::max(1.0, static_cast<double>(problem_.data->nnz))), entries_,
            kept_.in_pool() ? infinity : gap_};
  }
  Diagnostics diagnostics() const override {
    return {{{"working_set", static_cast<double>(descent_.features().size())},
             {"features_left", static_cast<double>(kept_.features().size())},
             {"newton_steps", descent_.newton_steps()},
             {"path_l1", l1_},
             {"damping", descent_.damping()}}};
  }
  bool resumable() const override { return true; }
  void serialize(Archive& archive) override {
    set_up();
    archive.numbers("ws", l1_, at_.b, largest_, scale_, best_dual_, gap_, target_, accuracy_, solved_l1_, following_,
                    entries_, entries_of_epoch_, checked_primal_, outside_, complete_, v_is_current_, min_set_size_);
    archive.optional("loss", at_.loss);
    archive.array("x", at_.x);
    kept_.serialize(archive);
    archive.array("v", v_);
    for (std::vector<double>* of_rows : {&at_.z, &y_}) archive.rows("rows", *of_rows);
    descent_.serialize(archive, problem_.data->rows);
  }
  void on_check(const Checked& checked) override {
    if (gap_ <= target_ && checked.gap > target_) {  // the gap computed here was not confirmed
      accuracy_ *= accuracy_after_check;
      kept_.keep_all();
      if (descent_.tracks()) best_dual_ = -infinity;  // of a y that may be outside of the box by rounding
      descent_.track(false);
      evaluate();
      gap_ = std::max(gap_, checked.gap);
    }
    target_ = checked.target;
    checked_primal_ = checked.primal;
  }

 private:
  // A set, the solution on it, and the gap. `gap`: the one to reach, 0: what the run needs.
  void improve(double gap = 0) {
    set_up();
    choose_set();
    solved_l1_ = l1_;
    if (std::exchange(v_is_current_, false) && !problem_.free_intercept()) know_derivatives();
    descent_.solve(at_, l1_, gap > 0 ? complete_fraction * gap / l1_norm(at_.x) : tolerance_on_set());
    if (stop_requested()) return;  // the invariant holds
    evaluate();
    if (gap_ <= target_ && kept_.leave_pool()) evaluate();
    if (l1_ > problem_.penalty.l1()) l1_ = std::max(problem_.penalty.l1(), path_factor * std::min(l1_, largest_));
    entries_of_epoch_ += descent_.take_entries();
  }
  bool proof_needs_precision() const {
    return !following_ && descent_.has_matrix() && gap_ <= target_ && gap_ > well_below * target_ &&
           gap_ <= exact_proof * (gap_ + best_dual_);
  }

  void begin(const Start& start) {
    at_.x = starting_point(problem_, start);
    at_.b = starting_intercepts(problem_, start)[0];
    at_.z.resize(problem_.n());
    if (std::ranges::any_of(at_.x, [](double xj) { return xj != 0; }))
      multiply(problem_.data->rows, at_.x.data(), at_.z.data());
    for (double& z : at_.z) z += at_.b;
  }
  // What only the first set needs: x = 0 may be optimal.
  void set_up() {
    if (whole_ || !norm_.empty()) return;
    kept_.use_segments();
    norm_ = screening_norms(problem_);
    if (spec_.path || problem_.d() > all_at_once || !of_features_.uniform()) return;
    const auto violators = std::count_if(v_.begin(), v_.end(), [&](double v) { return std::abs(v) > l1_; });
    min_set_size_ = first_of_few(problem_, static_cast<std::size_t>(violators));
  }
  void begin_path() {
    if (spec_.path) l1_ = std::max(problem_.penalty.l1(), path_factor * largest_);
  }
  // All features as one set, where their Gram matrix costs at most `products` products by A.
  void use_whole_set(double products) {
    if (whole_ || !(loss_.delta() > 0) || !worth_whole_set(problem_, products)) return;
    whole_ = true;
    descent_.choose_all(problem_.data->rows);
  }
  // x and v of the new l1 from those of the last two. False if P does not decrease. v is predicted only, for the next set;
  // the gap is not known.
  bool predict() {
    const L1Solution last{solved_l1_, at_.b, at_.x, v_}, before = std::exchange(before_, last);
    const auto r = of_features_.uniform() ? step_along_path(before, last, l1_, longest_prediction) : std::nullopt;
    if (!r) return false;
    PrimalPoint next{predicted_x(before, last, *r), {}, last.b + *r * (last.b - before.b), {}};
    if (descent_.tracks()) {  // by the Gram matrix of all features, without a product
      if (!predict_tracked(last.x, next.x, *r * (last.b - before.b))) return false;
    } else {
      descent_.set_scores(next);
      if (!(descent_.loss(next) + of_features_.value(next.x, l1_) < primal())) return false;
      at_ = std::move(next);
      for (std::size_t j = 0; j < v_.size(); ++j) v_[j] += *r * (last.v[j] - before.v[j]);
      v_is_current_ = false;
    }
    largest_ = of_features_.largest(kept_.features(), v_);
    scale_ = std::min(1.0, l1_ / largest_);
    gap_ = infinity;
    return true;
  }
  bool predict_tracked(const std::vector<double>& from, const std::vector<double>& to, double move_b) {
    Eigen::VectorXd move = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(from.size()));
    double rise = 0;
    for (std::size_t j = 0; j < from.size(); ++j) {
      if (from[j] == 0) continue;
      move[static_cast<Eigen::Index>(j)] = to[j] - from[j];
      rise += l1_ * (std::abs(to[j]) - std::abs(from[j])) +
              0.5 * problem_.penalty.l2() * (to[j] - from[j]) * (to[j] + from[j]);
    }
    if (!descent_.move(at_, move, move_b, rise)) return false;
    read_tracked_v();
    return true;
  }
  void read_tracked_v() {
    for (std::size_t j = 0; j < v_.size(); ++j) v_[j] = -descent_.derivatives()[static_cast<Eigen::Index>(j)];
  }

  // ---- all features: P, D, gap, screening --------------------------------------------------------------------------
  std::vector<double> derivatives() const {
    std::vector<double> y = derivatives_at(problem_, loss_, at_.z);
    if (problem_.free_intercept()) balance_dual(problem_, y);
    return y;
  }

  // v, P, D and the gap at the current z; drops features proved to be 0. While l1_ is above that of the problem, v only.
  void evaluate() {
    descent_.complete_scores(at_);
    std::vector<double> y = derivatives();
    v_.resize(kept_.features().size());
    if (descent_.tracks()) {
      read_tracked_v();
    } else {
      std::vector<double> cy(y.size());
      for (std::size_t i = 0; i < y.size(); ++i) cy[i] = -problem_.normalized_weight[i] * y[i];
      kept_.multiply_transposed(cy.data(), v_.data());
      entries_of_epoch_ += kept_.entries();
    }
    largest_ = of_features_.largest(kept_.features(), v_);
    v_is_current_ = true;
    bound(std::move(y));
  }

  void bound(std::vector<double> y) {  // P, D and the gap, from v and its y
    scale_ = 1;
    gap_ = infinity;
    if (l1_ > problem_.penalty.l1()) return;  // on the path: no gap yet

    const double primal = this->primal(), into_box = of_features_.scale_into_domain(kept_.features(), v_, largest_);
    double s = into_box, dual = dual_at(y, into_box);
    if (problem_.penalty.l2() > 0 && into_box < 1)
      if (const double unscaled = dual_at(y, 1); unscaled > dual) {
        s = 1;
        dual = unscaled;
      }
    scale_ = s;
    if (kept_.in_pool()) {  // the dual point is feasible for the features of the pool
      gap_ = std::max(0.0, primal - dual);
      return;
    }
    if (dual > best_dual_) {
      best_dual_ = dual;
      for (double& yi : y) yi *= s;
      y_ = std::move(y);
    }
    gap_ = std::max(0.0, primal - best_dual_);
    if (spec_.screen && !whole_ && !norm_.empty() && gap_ > target_) screen(primal, std::max(0.0, primal - dual));
  }

  double dual_at(const std::vector<double>& y, double s) const {
    if (of_features_.uniform()) return dual_value(problem_, loss_, y, v_, s);
    return -conjugate_of_losses(problem_, loss_, y, s) - of_features_.conjugate(kept_.features(), v_, s, at_.x);
  }

  // Drops features proved to be 0, when few are left: the first ones that are dropped have few entries.
  void screen(double primal, double gap) {
    const double radius = screening_radius(problem_, primal, gap);
    std::vector<std::uint32_t> kept;
    for (std::size_t k = 0; k < v_.size(); ++k) {
      const std::uint32_t j = kept_.features()[k];
      if (at_.x[j] != 0 || !proved_zero(scale_ * v_[k], norm_[j], radius, problem_.penalty.l1(j)))
        kept.push_back(static_cast<std::uint32_t>(k));
    }
    const bool in_set = 2 * kept.size() <= v_.size() && all_in_set(kept);
    if (!in_set && (spec_.path ? screened_of_path : screened) * kept.size() > v_.size()) return;
    if (!in_set && !kept_.has_segments() && gap_ <= last_epochs * target_) return;  // a copy costs more than it saves
    if (in_set && !kept_.has_segments() && 2 * kept.size() > descent_.features().size()) {
      std::vector<std::uint32_t> set = positions_in(kept_.features(), descent_.features());
      if (set.size() == descent_.features().size()) kept = std::move(set);  // its rows, without a copy
    }
    entries_of_epoch_ += in_set ? descent_.entries() : kept_.entries();
    if (in_set) kept_.keep_of_set(descent_.rows(), descent_.features(), kept);
    else kept_.keep(kept);
    for (std::size_t k = 0; k < kept.size(); ++k) v_[k] = v_[kept[k]];
    v_.resize(kept.size());
  }

  bool all_in_set(const std::vector<std::uint32_t>& kept) const {
    const auto feature = [&](std::uint32_t k) { return kept_.features()[k]; };
    return !descent_.features().empty() && std::ranges::includes(descent_.features(), kept, {}, {}, feature);
  }

  // ---- the working set ---------------------------------------------------------------------------------------------
  // `entered`: a pool, in this call: no other one is.
  void choose_set(bool entered = false) {
    const std::vector<std::uint32_t>& set = descent_.features();
    outside_ = 0;
    if (whole_) return keep_set(l1_ == solved_l1_);
    // A smaller l1 than that of the last set: the strong rule takes |v_j| to grow by at most the difference.
    const double likely = l1_ < solved_l1_ ? std::max(0.0, 2 - solved_l1_ / l1_) : 1;
    FeatureChoice choice =
        choice_of_features(kept_.features(), v_, scale_, at_.x, norm_, of_features_, l1_, likely, set);
    auto& [chosen, outside, violators] = choice;
    const bool enough = violators == 0 && !set.empty() && l1_ <= solved_l1_;
    const std::size_t size = std::max(choice.size_of_set(), min_set_size_);
    if ((enough || 2 * size > v_.size()) && kept_.leave_pool()) {
      evaluate();
      return choose_set(entered);
    }
    if (enough) return keep_set(l1_ == solved_l1_);
    if (!entered && suits_pool(size, chosen.size() + outside.size())) {
      add_nearest(outside, size_of_pool * size - chosen.size(), chosen);
      return enter_pool(chosen);
    }
    complete_ = false;
    const std::size_t more = std::min(outside.size(), size - chosen.size());
    add_nearest(outside, more, chosen);
    for (std::size_t i = more; i < outside.size(); ++i) {
      const std::uint32_t k = outside[i].k, j = kept_.features()[k];
      outside_ = std::max(outside_, of_features_.relevant_size(j, v_[k]) - of_features_.l1_at(j, l1_));
    }
    choose(chosen);
  }

  // Sets of large data are selected from the features nearest to the support, and evaluated over these, as long as some
  // are missing: a product by all of A and a selection from all rows cost more than several steps on a small set.
  bool suits_pool(std::size_t size, std::size_t candidates) const {
    return spec_.path && !kept_.in_pool() && !following_ && l1_ == problem_.penalty.l1() &&
           gap_ > last_epochs * target_ && size_of_pool * size <= problem_.d() / least_per_pool &&
           size_of_pool * size < candidates;
  }
  void enter_pool(const std::vector<std::uint32_t>& positions) {
    entries_of_epoch_ += kept_.entries();
    kept_.enter_pool(positions);
    for (std::size_t k = 0; k < positions.size(); ++k) v_[k] = v_[positions[k]];
    v_.resize(positions.size());
    choose_set(true);
  }

  // The set has all features that are needed. `again`: for the l1 of the last solve, which was not accurate enough.
  // Features that were proved to be 0 are left out, where that halves the set.
  void keep_set(bool again) {
    if (again && complete_) accuracy_ *= accuracy_on_same_set;
    complete_ = again;
    const std::vector<std::uint32_t> left = positions_in(kept_.features(), descent_.features());
    if (2 * left.size() <= descent_.features().size()) choose(left);
  }

  void choose(const std::vector<std::uint32_t>& positions) {  // in kept_
    descent_.choose(kept_.select(positions));
    entries_of_epoch_ += kept_.entries();
  }

  void know_derivatives() {  // s = -v on the set, without another product
    const std::vector<std::uint32_t> chosen = positions_in(kept_.features(), descent_.features());
    if (chosen.size() < descent_.features().size()) return;  // some are proved to be 0
    Eigen::VectorXd s(static_cast<Eigen::Index>(chosen.size()));
    for (Eigen::Index k = 0; k < s.size(); ++k) s[k] = -v_[chosen[static_cast<std::size_t>(k)]];
    descent_.know(std::move(s));
  }

  double tolerance_on_set() {  // of |v_j| - l1: it adds |x|_1 times that to the gap, and scales y by l1/|v_j|
    if (l1_ > problem_.penalty.l1()) return std::max(l1_fraction * l1_, inaccuracy_outside());  // on the path
    const double p = primal(), fallen = p / checked_primal_,
                 target = fallen > 0 && fallen < 1 ? fallen * target_ : target_;
    if (whole_ && !following_) return accuracy_ * whole_fraction * std::clamp(target / p, smallest_gap, 1.0) * l1_;
    const double size = l1_norm(at_.x);
    const double wanted = following_  ? following_fraction * target_
                          : complete_ ? complete_fraction * target
                                      : std::max(target_fraction * target, gap_fraction * gap_);
    return std::max(std::min(accuracy_ * wanted / size, l1_fraction * l1_), inaccuracy_outside());
  }
  double inaccuracy_outside() const { return (spec_.path ? outside_fraction_of_path : outside_fraction) * outside_; }

  const Problem& problem_;
  LossType loss_;
  WorkingSetSpec spec_;
  KeptFeatures kept_;
  std::vector<double> norm_;  // |a_j|_c; empty before the first set, and where the set has all features
  double l1_;
  FeaturePenalty of_features_;
  PrimalPoint at_;
  std::vector<double> y_;
  std::vector<double> v_;  // of the kept features, before y is scaled
  double largest_ = 0;     // max |v_j|
  double scale_ = 1;       // of y, into the box |v_j| <= l1
  double best_dual_ = -infinity, gap_ = infinity;
  double target_ = 0, checked_primal_ = 0;  // the gap that ends the run, and P when it was computed
  double accuracy_ = 1;                     // factor of the tolerance on the set
  L1Solution before_;                       // the solution before this one, along a path of problems

  SetDescent<LossType> descent_;
  std::size_t min_set_size_ = 50;
  double solved_l1_ = 0;    // l1_ of the last solve on the set
  bool following_ = false;  // a path of problems: the set is nearly right from the beginning
  bool whole_ = false;      // the set has all features
  bool complete_ = false;   // the set was solved, and no feature is missing
  bool v_is_current_ = false;
  double outside_ = 0;  // the largest |v_j| - l1 outside of the set
  double entries_ = 0, entries_of_epoch_ = 0;
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
