#include "solvers/engines/dual_ascent.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <type_traits>

#include "base/archive.h"
#include "base/rng.h"
#include "base/stop.h"
#include "model/losses/row_terms.h"
#include "sampling/uniform.h"
#include "solvers/parts/common/dual_sums.h"
#include "solvers/parts/common/work_per_step.h"
#include "solvers/parts/dual/active_rows.h"
#include "solvers/parts/dual/dual_row.h"
#include "solvers/parts/dual/extrapolation.h"
#include "solvers/parts/dual/free_intercept.h"
#include "solvers/parts/dual/lanes.h"
#include "solvers/parts/dual/mixed_groups.h"
#include "solvers/parts/dual/primal_map.h"
#include "solvers/parts/dual/row_scan.h"
#include "solvers/parts/dual/working_copy.h"

namespace seesaw {
namespace {

enum class Visits { all, shrinking, mixed };  // of the rows of a pass

template <class LossType, class Shape>
class TypedDualAscent final : public DualAscent {
 public:
  TypedDualAscent(const Problem& problem, const LossType& loss, const DualAscentOptions& options, const Start& start)
      : problem_(problem),
        rows_(problem, options.storage),
        loss_(loss),
        options_(options),
        rng_(options.seed),
        row_(problem.n()),
        w_(problem.d()),
        center_(problem.d()),
        intercept_center_(starting_intercepts(problem, start)[0]),
        active_(set_up_rows(start)),
        mean_(problem.n(), options.average) {
    if (options_.draw == Draw::iid) {
      order_.resize(problem.n());
      uniform_.emplace(drawable_, rng_);
    }
    if (options_.groups > 0) mixed_.emplace(problem.data->rows, options_.groups, drawable_);
    recompute_w(intercept());
  }

  void epoch() override {
    if (drawable_.empty()) {
      visited_ += row_.size();  // no variables to move; the pass is counted
      return;
    }
    if (!std::visit([&](const auto& rows) { return pass(rows); }, rows_.get()))
      return;  // stopped: w is consistent with y
    rows_.after(work().passes);
    mean_.end_pass(visited_, [&](std::size_t i) { return row_[i].y; });
    if (entries_ > next_recompute_) recompute_w(intercept());
  }

  void on_check(const Checked& checked) override {
    if (mixed_) mixed_->on_check(checked.gap);
    active_.on_check(checked);
    if (!rows_.on_check(checked)) return;
    margins_.clear();  // of rounded rows
    recompute_w(intercept());
  }
  Diagnostics diagnostics() const override { return {{{"active_rows", static_cast<double>(active_.active())}}}; }

  bool resumable() const override { return true; }
  void serialize(Archive& archive) override {  // without an outer loop
    std::vector<double> y;
    for (const DualRow& row : row_) y.push_back(row.y);
    serialize_groups(archive, mixed_ ? options_.groups : 0);
    archive.numbers("sdca", intercept_center_, sum_, lane_plan_.lanes, visited_, entries_, next_recompute_);
    archive.object("random", rng_);
    archive.rows("y", y);
    archive.array("w", w_);
    for (std::size_t i = 0; i < y.size(); ++i) row_[i].y = y[i];
    active_.serialize(archive);
    margins_.serialize(archive);
    extrapolation_.serialize(archive);
    rows_.serialize(archive);
    if (uniform_) archive.object("draws", uniform_->generator());
    mean_.serialize(archive);
    if (mixed_) mixed_->serialize(archive);
  }

  void read(Point& point) override {
    active_.on_read();
    point.y.resize(row_.size());
    point.x.resize(w_.size());
    point.intercept = {intercept()};
    for (std::size_t i = 0; i < row_.size(); ++i) point.y[i] = row_[i].y;
    std::vector<double> of_mean;
    if (mean_.read(point.y, visited_, [&](std::size_t i) { return row_[i].y; })) of_mean = w_of(point.y);
    const std::vector<double>& w = of_mean.empty() ? w_ : of_mean;
    for (std::size_t j = 0; j < w.size(); ++j) point.x[j] = primal_.x(j, w[j]);
  }

  void retune(double g, double kappa, const std::vector<double>& center) override {
    const double b = intercept();
    if constexpr (requires { loss_.curvature; })
      if (g > 0) loss_.curvature = g;
    margins_.clear();
    kappa_ = kappa;
    center_ = center;
    set_steps(problem_.squared_row_norms());
    recompute_w(b);
  }

  void recenter(const std::vector<double>& center, double shift) override {
    intercept_center_ += shift;
    for (std::size_t j = 0; j < w_.size(); ++j) w_[j] += kappa_ / lambda_ * (center[j] - center_[j]);
    center_ = center;
  }

  void take(const std::vector<double>& y, double b) override {
    for (std::size_t i = 0; i < row_.size(); ++i) row_[i].y = y[i];
    recompute_w(b);
    active_.visit_all();
  }

  double intercept() const override { return intercept_center_ - inverse_kappa_b_ * lambda_ * sum_; }

  void read_primal(std::vector<double>& x, std::vector<double>& v) const override {
    x.resize(w_.size());
    v.resize(w_.size());
    for (std::size_t j = 0; j < w_.size(); ++j) {
      x[j] = primal_.x(j, w_[j]);
      v[j] = lambda_ * w_[j] - kappa_ * center_[j];
    }
  }

  Work work() const override {
    return {.passes = static_cast<double>(visited_) / static_cast<double>(row_.size()),
            .entries = static_cast<double>(entries_),
            .estimated_gap = mixed_            ? std::optional(mixed_->estimated_gap())
                             : estimates_gap() ? std::optional(active_.estimated_gap())
                                               : std::nullopt,
            .overlaps_checks = !mixed_};
  }

 private:
  // The terms of the rows are those of the last point, of exact steps.
  bool estimates_gap() const {
    return options_.draw == Draw::permutation && options_.step == RowStep::exact && kappa_ == 0 &&
           options_.average.over == Average::off;
  }

  ActiveRows set_up_rows(const Start& start) {
    const std::vector<double>& norms = problem_.squared_row_norms();
    set_steps(norms);
    for (std::size_t i = 0; i < row_.size(); ++i) {
      DualRow& row = row_[i];
      row.b = problem_.scalar().target[i];
      row.y = start.y.empty() ? 0 : loss_.domain(row.b).clip(start.y[i]);
      if (norms[i] > 0 || problem_.free_intercept()) drawable_.push_back(static_cast<std::uint32_t>(i));
      else row.y = loss_.derivative(row.b, 0);  // an empty row: already optimal
    }
    return {drawable_, options_.shrink && LossType::can_shrink && options_.draw == Draw::permutation, options_.gap};
  }

  void set_steps(const std::vector<double>& norms) {
    const bool derivative = options_.step == RowStep::derivative;
    lambda_ = problem_.penalty.l2() + kappa_;
    primal_.set(problem_.penalty, lambda_, problem_.d());
    inverse_kappa_b_ = (derivative ? squared_bias_entry_of_derivatives(problem_, norms, lambda_, loss_.gamma())
                                   : squared_bias_entry(problem_, norms, lambda_, loss_.gamma())) /
                       lambda_;
    for (std::size_t i = 0; i < row_.size(); ++i) {
      const double c = problem_.normalized_weight[i];
      row_[i].q = derivative ? 0 : c * (norms[i] / lambda_ + inverse_kappa_b_);
      row_[i].scaled_weight = c / lambda_;
    }
    if (options_.lanes != 1)
      lane_plan_ = plan_lanes(options_.lanes, problem_.n(), problem_.d(), problem_.data->nnz, lambda_,
                              product_over(problem_.leaves(), problem_.normalized_weight, norms));
  }

  template <class RowStorage>
  bool pass(const RowStorage& rows) {  // false if stopped
    bool complete;
    if (options_.draw == Draw::iid) {
      uniform_->fill(order_);
      complete = steps<Visits::all>(rows, order_);
    } else if (mixed_) {
      complete = mixed_->sweep(rows, rng_, [&](auto order) { return steps<Visits::mixed>(rows, order); });
    } else {
      const std::span<std::uint32_t> order = active_.next_pass(rng_);
      if (uses_lanes(order.size()))
        complete = active_.shrinks() ? rounds<true>(rows, order) : rounds<false>(rows, order);
      else complete = active_.shrinks() ? steps<Visits::shrinking>(rows, order) : steps<Visits::all>(rows, order);
    }
    if (!complete) return false;
    intercept_center_ = intercept();
    if constexpr (std::is_same_v<LossType, PiecewiseQuadratic> && std::is_same_v<Shape, L2>)
      if (options_.extrapolate)
        extrapolation_.end_pass(rows, loss_, row_, w_, sum_, intercept(), lambda_ * inverse_kappa_b_, entries_,
                                mixed_ ? visits_per_sweep : 1);
    scan_if_due(rows);
    return true;
  }

  template <Visits visits, class RowStorage>
  bool steps(const RowStorage& rows, std::span<const std::uint32_t> order) {
    constexpr std::size_t ahead = 4;
    StopPoll stop(work_per_step(rows));
    const RowTerms<LossType> terms(loss_);
    RowSums sums;
    for (std::size_t k = 0; k < order.size(); ++k) {
      if (k + ahead < order.size()) {
        __builtin_prefetch(&row_[order[k + ahead]]);
        prefetch(rows.row(order[k + ahead]));
      }
      step<visits>(rows.row(order[k]), order[k], k, terms, sums);
      if (stop.requested()) {
        visited_ += k + 1;
        active_.visit_all();
        return false;
      }
    }
    visited_ += order.size();
    if (visits != Visits::mixed && !uniform_) active_.end_pass(sums.times(lambda_), intercept());
    return true;
  }

  template <class RowStorage>
  void scan_if_due(const RowStorage& rows) {
    if constexpr (LossType::can_shrink) {
      if (!active_.scan_is_due()) return;
      const RowSums sums = scan_rows(rows, problem_.leaves(), loss_, row_, problem_.squared_row_norms(), primal_, w_,
                                     intercept(), active_.threshold(), margins_, skipped_);
      entries_ += sums.entries;
      active_.end_scan(drawable_, skipped_, sums.times(lambda_), intercept());
    }
  }

  template <Visits visits, class Row>
  [[gnu::always_inline]] void step(Row a, std::uint32_t i, std::size_t position, const RowTerms<LossType>& terms,
                                   RowSums& sums) {
    DualRow& row = row_[i];
    const double z = primal_.score(a, w_) + intercept();  // z = a_i.x + b
    entries_ += a.size;
    if constexpr (visits == Visits::mixed)
      if (mixed_->first_visit(i)) {
        const auto [phi, conjugate] = value_and_conjugate(loss_, row.b, z, row.y);
        mixed_->add_gap(lambda_ * row.scaled_weight * (phi + conjugate - row.y * z));
      }
    if constexpr (visits != Visits::all && LossType::can_shrink) {
      const auto gradient = loss_.projected_gradient(row.b, z, row.y);
      if constexpr (visits == Visits::mixed) {
        if (mixed_->settles(i, gradient.violation, gradient.margin)) return;
      } else {
        if (active_.skips(gradient.margin)) return;
        active_.keep(position);
        sums.violation = std::max(sums.violation, std::abs(gradient.violation));
      }
    }
    const double dy = dual_change(loss_, row, z, options_.step);
    if constexpr (visits != Visits::mixed) terms.add(sums, row, z, dy, position);
    if constexpr (visits == Visits::shrinking) sums.at_bound += at_bound(loss_, row.b, row.y + dy);
    if (dy == 0) return;
    mean_.changed(i, row.y, visited_ + position);
    row.y += dy;
    sum_ += row.scaled_weight * dy;                 // (1/lambda) sum_i c_i y_i
    add_to(w_.data(), -row.scaled_weight * dy, a);  // w = (v + kappa center) / lambda
    entries_ += a.size;
  }

  static constexpr std::size_t least_rounds = 4;  // of a pass by lanes

  bool uses_lanes(std::size_t rows) const {
    if (lane_plan_.lanes == 1 || !std::is_same_v<Shape, L2>) return false;
    return rows >= (lane_plan_.by_data ? least_rounds * lane_plan_.rows : 1) * lane_plan_.lanes;
  }

  // A pass by lanes.
  template <bool shrink, class RowStorage>
  bool rounds(const RowStorage& rows, std::span<const std::uint32_t> order) {
    const std::size_t lanes = lane_plan_.lanes;
    const std::size_t size =
        std::clamp<std::size_t>(order.size() / (least_rounds * lanes), 1, lane_plan_.rows);  // of a round
    lanes_.begin_pass(lanes, order.size(), w_);
    const double own_shift = lambda_ * inverse_kappa_b_;
    if constexpr (shrink) skipped_.assign(order.size(), 0);
    StopPoll stop(static_cast<double>(size * lanes) * work_per_step(rows));
    bool stopped = false;
    while (!stopped && !lanes_.done()) {
      const double before = intercept();
      const LaneSteps<LossType> steps{loss_, row_, active_, skipped_, before, own_shift, static_cast<double>(lanes)};
      lanes_.each([&](Lanes::Lane& lane) {
        constexpr std::size_t ahead = 4;
        const std::size_t end = std::min(lane.next + size, lane.end);
        for (std::size_t k = lane.next; k < end; ++k) {
          if (k + ahead < lane.end) {
            __builtin_prefetch(&row_[order[k + ahead]]);
            prefetch(rows.row(order[k + ahead]));
          }
          steps.template take<shrink>(rows.row(order[k]), order[k], k, lane);
        }
        lane.next = end;
      });
      lanes_.merge(loss_, row_, w_, sum_, before, own_shift);
      stopped = stop.requested();
    }
    RowSums sums;
    for (const Lanes::Lane& lane : lanes_.all()) {
      entries_ += lane.entries;
      visited_ += lane.next;  // less its first position
      sums += lane.sums;
    }
    for (std::size_t k = 0; k < lanes; ++k) visited_ -= order.size() * k / lanes;
    if (stopped) {
      active_.visit_all();
      return false;
    }
    for (std::size_t k = 0; shrink && k < order.size(); ++k)
      if (skipped_[k] == 0) active_.keep(k);
    active_.end_pass(sums.times(lambda_), intercept());
    if (lane_plan_.by_data && lanes_.mean_step() < least_mean_step) lane_plan_.lanes = 1;
    return true;
  }

  std::vector<double> w_of(const std::vector<double>& y) const {
    std::vector<double> scaled(y.size()), w(w_.size());
    for (std::size_t i = 0; i < y.size(); ++i) scaled[i] = -row_[i].scaled_weight * y[i];
    if (std::any_of(y.begin(), y.end(), [](double yi) { return yi != 0; }))
      multiply_transposed(problem_.data->rows, scaled.data(), w.data());
    if (kappa_ > 0)
      for (std::size_t j = 0; j < w.size(); ++j) w[j] += kappa_ / lambda_ * center_[j];
    return w;
  }

  // Recomputes w from y, to remove accumulated rounding errors.
  void recompute_w(double b) {
    std::vector<double> y(row_.size());
    sum_ = 0;
    for (std::size_t i = 0; i < row_.size(); ++i) {
      y[i] = row_[i].y;
      sum_ += row_[i].scaled_weight * y[i];
    }
    intercept_center_ = b + inverse_kappa_b_ * lambda_ * sum_;  // keeps the intercept unchanged
    w_ = w_of(y);
    next_recompute_ = entries_ + 100 * problem_.data->nnz;
  }

  const Problem& problem_;
  WorkingCopy rows_;
  LossType loss_;
  DualAscentOptions options_;
  Rng rng_;

  std::vector<DualRow> row_;
  std::vector<double> w_;
  std::vector<std::uint32_t> drawable_;
  double kappa_ = 0;  // of the outer term, with its center
  std::vector<double> center_;
  double lambda_ = 0, inverse_kappa_b_ = 0;  // lambda_: with kappa
  PrimalMap<Shape> primal_;
  double intercept_center_ = 0, sum_ = 0;
  LanePlan lane_plan_;
  ActiveRows active_;

  static constexpr double least_mean_step = 0.85;  // of the line searches of a pass: below, lanes cost passes
  Lanes lanes_;
  std::vector<unsigned char> skipped_;  // by position in a pass by lanes, or by row in a scan
  ScoredMargins margins_;               // of scans

  std::vector<std::uint32_t> order_;
  std::optional<UniformSampler> uniform_;
  IterateMean mean_;
  std::optional<MixedGroups> mixed_;
  Extrapolation extrapolation_;
  std::uint64_t visited_ = 0, entries_ = 0, next_recompute_ = 0;
};

}  // namespace

std::unique_ptr<DualAscent> make_dual_ascent(const Problem& problem, const DualAscentOptions& options,
                                             const Start& start) {
  return std::visit(
      [&]<class LossType>(const LossType& loss) -> std::unique_ptr<DualAscent> {
        const auto make = [&]<class Shape>(const Shape&) -> std::unique_ptr<DualAscent> {
          return std::make_unique<TypedDualAscent<LossType, Shape>>(problem, loss, options, start);
        };
        // The elastic net's engine has the branch for penalties that differ by feature.
        if (!problem.penalty.uniform()) return make(ElasticNet{problem.penalty.l2(), problem.penalty.l1()});
        return with_strongly_convex_shape(problem.penalty, make);
      },
      problem.scalar().loss);
}

}  // namespace seesaw
