#include "solvers/engines/proximal_working_set.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/archive.h"
#include "base/stop.h"
#include "base/tree_sum.h"
#include "solvers/parts/common/dual_sums.h"
#include "solvers/parts/common/first_smoothing.h"

namespace seesaw {
namespace {

constexpr double factor = 0.3;             // of gamma, after a stage that was solved
constexpr double smallest_gamma = 1e-10;   // relative to the first gamma
constexpr double warm_gamma = 0.075;       // the first gamma of a warm start, relative to that of a cold one
constexpr int max_epochs = 40;             // per stage
constexpr double target_fraction = 0.2;    // of the target gap, for the gap of a stage
constexpr double gap_fraction = 0.1;       // of the gap of the last stage, likewise
constexpr double gap_factor_increase = 4;  // after a check that does not confirm the estimated gap

class ProximalWorkingSet final : public Solver {
 public:
  ProximalWorkingSet(const Problem& problem, const WorkingSetSpec& spec, const Start& start)
      : problem_(problem),
        loss_(std::get<PiecewiseQuadratic>(problem.scalar().loss)),
        spec_(spec),
        stage_(problem),
        y0_(problem.n()) {
    const FirstSmoothing first = first_smoothing(problem, loss_, start);
    for (std::size_t i = 0; i < y0_.size(); ++i) {
      const Interval box = loss_.domain(target(i));
      y0_[i] = start.y.empty() ? (box.lo + box.hi) / 2 : box.clip(start.y[i]);
    }
    first_gamma_ = first.gamma;
    gamma_ = start.y.empty() ? first.gamma : warm_gamma * first.gamma;
    best_.x = starting_point(problem, start);
    best_.intercept = {first.intercept};
    best_.y.assign(problem.n(), 0.0);
    gap_ = losses(best_).primal + penalty(best_.x);
    begin_stage(best_);
  }

  void epoch() override {
    inner_->epoch();
    if (stop_requested()) return;
    const double stage_gap = inner_->work().estimated_gap.value_or(infinity);  // infinite on the path of l1
    const bool slow = ++epochs_ >= max_epochs && std::isfinite(stage_gap);
    if (stage_gap > stage_target_ && !slow) return;
    Point point;
    inner_->read(point);
    const double excess = evaluate(point, stage_gap);
    if (estimate() <= target_) return;  // ready for a check
    if (stage_gap > std::max(excess, target_fraction * target_) && !slow) return aim(gap_fraction * stage_gap);
    if (!slow) gamma_ = std::max(factor * gamma_, smallest_gamma * first_gamma_);
    y0_ = point.y;
    ++stages_;
    begin_stage(point);
  }

  // The best points once they are good enough, otherwise those that move.
  void read(Point& point) override {
    if (estimate() > target_) inner_->read(point);
    if (estimate() <= target_ || point.y.size() != best_.y.size()) point = best_;  // no y on the path of l1
  }

  Work work() const override {
    const double entries = entries_ + inner_->work().entries;
    return {entries / (2 * std::max(1.0, nnz())), entries, estimate()};
  }

  Diagnostics diagnostics() const override {
    Diagnostics all = inner_->diagnostics();
    all.values.insert(all.values.end(), {{"smoothing", gamma_}, {"stage", stages_}});
    return all;
  }

  bool resumable() const override { return true; }
  void serialize(Archive& archive) override {
    archive.numbers("proximal_ws", gamma_, first_gamma_, stages_, epochs_, stage_target_, target_, gap_, own_gap_,
                    gap_factor_, best_primal_, best_dual_, entries_);
    archive.array("x", best_.x);
    archive.array("intercept", best_.intercept);
    for (std::vector<double>* of_rows : {&y0_, &best_.y}) archive.rows("y", *of_rows);
    if (!archive.saving()) make_inner(best_);
    inner_->serialize(archive);
  }

  // If the check does not confirm the estimate, because of accumulated rounding, it is increased.
  void on_check(const Checked& checked) override {
    target_ = checked.target;
    if (estimate() > target_ || checked.gap <= target_) return;
    gap_factor_ *= gap_factor_increase;
    own_gap_ = best_primal_ = infinity;
    best_dual_ = -infinity;
  }

 private:
  // sum_i c_i times phi_i(z_i), and times (phi_i - psi_i)(z_i) - (gamma/2)(y_i - y0_i)^2
  struct Losses {
    double primal = 0, excess = 0;
    Losses& operator+=(const Losses& other) {
      primal += other.primal;
      excess += other.excess;
      return *this;
    }
  };

  double target(std::size_t i) const { return problem_.scalar().target[i]; }
  double nnz() const { return static_cast<double>(problem_.data->nnz); }
  double estimate() const { return own_gap_ * gap_factor_; }

  double penalty(const std::vector<double>& x) const {
    double sum = 0;
    for (std::size_t j = 0; j < x.size(); ++j) sum += problem_.penalty.coordinate(j).value(x[j]);
    return sum;
  }

  Losses losses(const Point& point) {
    z_.assign(problem_.n(), 0.0);
    if (std::any_of(point.x.begin(), point.x.end(), [](double xj) { return xj != 0; })) {
      multiply(problem_.data->rows, point.x.data(), z_.data());
      entries_ += nnz();
    }
    return tree_sum<Losses>(problem_.leaves(), [&](std::size_t begin, std::size_t end) {
      Losses part;
      for (std::size_t i = begin; i < end; ++i) {
        const double b = target(i), z = z_[i] + point.intercept[0], phi = loss_.value(b, z),
                     c = problem_.normalized_weight[i];
        const double y = smoothed().derivative(b - gamma_ * y0_[i], z);
        const double psi = y * (z - b) - loss_.insensitivity * std::abs(y) - gamma_ / 2 * (y - y0_[i]) * (y - y0_[i]);
        const double moved = point.y[i] - y0_[i];
        part += {c * phi, c * (phi - psi - gamma_ / 2 * moved * moved)};
      }
      return part;
    });
  }

  PiecewiseQuadratic smoothed() const {
    PiecewiseQuadratic loss = loss_;
    loss.curvature = gamma_;
    return loss;
  }

  // Returns the excess at the point of the inner method, and keeps what is better than before.
  double evaluate(const Point& point, double stage_gap) {
    const Losses sums = losses(point);
    const double primal = sums.primal + penalty(point.x);
    gap_ = std::max(0.0, stage_gap + sums.excess);
    if (primal < best_primal_) {
      best_primal_ = primal;
      best_.x = point.x;
      best_.intercept = point.intercept;
    }
    if (primal - gap_ > best_dual_) {
      best_dual_ = primal - gap_;
      best_.y = point.y;
    }
    own_gap_ = std::min({own_gap_, gap_, std::max(0.0, best_primal_ - best_dual_)});
    return sums.excess;
  }

  void begin_stage(const Point& from) {
    epochs_ = 0;
    make_inner(from);
    aim(gap_fraction * gap_);
  }

  void make_inner(const Point& from) {
    if (inner_) entries_ += inner_->work().entries;
    inner_.reset();  // it refers to stage_
    ScalarForm& form = std::get<ScalarForm>(stage_.form);
    form.loss = smoothed();
    for (std::size_t i = 0; i < y0_.size(); ++i) form.target[i] = target(i) - gamma_ * y0_[i];
    WorkingSetSpec spec = spec_;
    spec.path = spec.path && stages_ == 0;
    inner_ = make_working_set(stage_, spec, {.y = y0_, .x = from.x, .intercept = from.intercept});
  }

  // The gap of the stage that the inner method is to reach.
  void aim(double gap) {
    stage_target_ = std::max(gap, target_fraction * target_);
    inner_->on_check({{.gap = 0}, stage_target_});
  }

  const Problem& problem_;
  PiecewiseQuadratic loss_;
  WorkingSetSpec spec_;
  Problem stage_;
  std::unique_ptr<Solver> inner_;

  std::vector<double> y0_, z_;
  double gamma_ = 0, first_gamma_ = 0;
  double stages_ = 0;
  int epochs_ = 0;                              // of this stage
  double stage_target_ = 0;                     // the gap of the stage at which it is solved
  double target_ = 0;                           // the gap that ends the run
  double gap_ = infinity;                       // of the problem, at the last evaluation
  double own_gap_ = infinity, gap_factor_ = 1;  // the smallest one; the estimated gap is own_gap_ times the factor
  Point best_;
  double best_primal_ = infinity, best_dual_ = -infinity;
  double entries_ = 0;  // of A, used here and by the stages before
};

}  // namespace

std::unique_ptr<Solver> make_proximal_working_set(const Problem& problem, const WorkingSetSpec& spec,
                                                  const Start& start) {
  return std::make_unique<ProximalWorkingSet>(problem, spec, start);
}

}  // namespace seesaw
