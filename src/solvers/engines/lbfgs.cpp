#include "solvers/engines/lbfgs.h"

#include <algorithm>
#include <cmath>

#include "base/archive.h"
#include "base/parallel.h"
#include "base/stop.h"
#include "model/penalty/unpenalized.h"
#include "solvers/parts/common/dual_sums.h"
#include "solvers/parts/lbfgs/curvature_pairs.h"
#include "solvers/parts/lbfgs/line_minimum.h"
#include "solvers/parts/lbfgs/row_losses.h"
#include "solvers/parts/newton/class_preconditioner.h"

namespace seesaw {
namespace {

// g.d, and over the penalized features |d|^2 and x.d.
struct LineProducts {
  double gd = 0, dd = 0, xd = 0;
  LineProducts& operator+=(const LineProducts& other) {
    gd += other.gd;
    dd += other.dd;
    xd += other.xd;
    return *this;
  }
};

// |g|^2, and over the penalized features |x|^2.
struct PointProducts {
  double gg = 0, xx = 0;
  PointProducts& operator+=(const PointProducts& other) {
    gg += other.gg;
    xx += other.xx;
    return *this;
  }
};

// The sum of term(j) over all j, in four lanes.
template <class Sum, class Term>
Sum sum_over(Eigen::Index size, const Term& term) {
  return parallel_sum<Sum>(chunks_of(static_cast<std::size_t>(size), 8192), [&](std::size_t begin, std::size_t end) {
    Sum lanes[4];
    for (std::size_t j = begin; j < end; ++j) lanes[j % 4] += term(static_cast<Eigen::Index>(j));
    for (int lane = 1; lane < 4; ++lane) lanes[0] += lanes[lane];
    return lanes[0];
  });
}

class Lbfgs final : public Solver {
 public:
  Lbfgs(const Problem& problem, const LbfgsSpec& spec, const Start& start)
      : problem_(problem),
        lambda_(problem.penalty.l2()),
        losses_(problem.is_block() ? make_softmax_losses(problem) : make_scalar_losses(problem)),
        pairs_(problem.d() * problem.outputs(), spec.pairs) {
    if (!unpenalized_features(problem.penalty, problem.d()).empty())
      for (std::size_t j = 0; j < problem.d(); ++j) penalized_.push_back(problem.penalty.l2(j) > 0 ? 1 : 0);
    begin(start);
  }

  void epoch() override {
    passes_ += 1;
    entries_ += 2 * nnz();
    find_direction();
    if (!(along_.gd < 0)) {  // at the minimum up to rounding
      update_estimate();
      return;
    }
    losses_->set_direction(d_);
    if (stop_requested()) return;
    const double t = search();
    step_length_ = t;
    x_ += t * d_;
    const double losses = losses_->move(t);
    if (t == 0) pairs_.clear();  // limited by floating-point accuracy: the next step is along the gradient
    if (stop_requested()) return;
    previous_.swap(g_);
    gradient();
    primal_ = losses + 0.5 * lambda_ * at_point_.xx;
    if (t != 0 && !pairs_.add(t, d_, previous_, g_)) ++skipped_;
    has_direction_ = false;
    update_estimate();
  }

  void read(Point& point) override {
    point.x.assign(x_.begin(), x_.end());
    losses_->read(point);
  }

  Work work() const override { return {passes_, entries_, estimated_gap_}; }

  Diagnostics diagnostics() const override {
    return {{{"step_length", step_length_},
             {"pairs", static_cast<double>(pairs_.count())},
             {"skipped_pairs", skipped_},
             {"line_evaluations", evaluations_}}};
  }

  bool resumable() const override { return true; }
  void serialize(Archive& archive) override {
    archive.numbers("lbfgs", at_point_.gg, at_point_.xx, along_.gd, along_.dd, along_.xd, has_direction_, primal_,
                    checked_primal_, estimated_gap_, gap_factor_, passes_, entries_, step_length_, skipped_,
                    evaluations_);
    archive.array("x", x_);
    archive.array("gradient", g_);
    archive.array("direction", d_);
    pairs_.serialize(archive);
    losses_->serialize(archive);
  }

  // An estimate that the check does not confirm is due to rounding, or to a dual point that had to be made feasible: the
  // estimate is increased.
  void on_check(const Checked& checked) override {
    checked_primal_ = checked.primal;
    if (estimated_gap_ <= checked.target && checked.gap > checked.target) {
      gap_factor_ *= 2 * std::clamp(checked.gap / std::max(estimated_gap_, 1e-300), 1.0, 1e3);
      refresh();
      estimated_gap_ = infinity;
    }
  }

 private:
  void begin(const Start& start) {
    std::vector<double> s(problem_.d() * problem_.outputs()), sums;
    if (!start.y.empty() && start.x.size() != s.size()) weighted_sums(problem_, start.y, s, sums);
    const std::vector<double> x = starting_x(problem_, start, s);
    x_ = Eigen::Map<const Eigen::VectorXd>(x.data(), static_cast<Eigen::Index>(x.size()));
    if (problem_.is_block()) center_classes(x_.data(), problem_.d(), problem_.outputs());
    start_losses(starting_intercepts(problem_, start));
  }

  void start_losses(const std::vector<double>& intercepts) {
    const double losses = losses_->begin(x_, intercepts);
    gradient();
    passes_ += 1;
    entries_ += (x_.array() == 0).all() ? nnz() : 2 * nnz();
    primal_ = losses + 0.5 * lambda_ * at_point_.xx;
    has_direction_ = false;
    pairs_.forget_gradient();
    update_estimate();
  }

  // Recomputes the scores from x, to remove accumulated rounding errors.
  void refresh() {
    Point point;
    losses_->read(point);
    start_losses(point.intercept);
  }

  double nnz() const { return static_cast<double>(problem_.data->nnz); }

  // Whether coordinate j has the penalty lambda (1) or none (0).
  double penalized(Eigen::Index j) const { return penalized_.empty() ? 1 : penalized_[static_cast<std::size_t>(j)]; }

  void gradient() {
    losses_->gradient(g_);
    at_point_ = sum_over<PointProducts>(g_.size(), [&](Eigen::Index j) {
      g_[j] += lambda_ * penalized(j) * x_[j];
      return PointProducts{g_[j] * g_[j], penalized(j) * x_[j] * x_[j]};
    });
  }

  void find_direction() {
    if (has_direction_) return;
    has_direction_ = true;
    for (;;) {
      pairs_.direction(g_, d_);
      along_ = sum_over<LineProducts>(d_.size(), [&](Eigen::Index j) {
        return LineProducts{g_[j] * d_[j], penalized(j) * d_[j] * d_[j], penalized(j) * x_[j] * d_[j]};
      });
      if (along_.gd < 0 || pairs_.count() == 0) return;
      pairs_.clear();
    }
  }

  double search() {
    const auto evaluate = [&](double t) {
      LossCurve::At at = losses_->at(t);
      at.value += lambda_ * (0.5 * at_point_.xx + t * (along_.xd + 0.5 * t * along_.dd));
      at.derivative += lambda_ * (along_.xd + t * along_.dd);
      at.curvature += lambda_ * along_.dd;
      return at;
    };
    double first = 1;
    if (pairs_.count() == 0) {  // d = -g has no natural length
      const LossCurve::At here = evaluate(0);
      ++evaluations_;
      first = here.curvature > 0 ? -along_.gd / here.curvature : 1;
    }
    const LineMinimum found = minimize_on_line({primal_, along_.gd, 0}, first, lbfgs_line_accuracy, evaluate);
    evaluations_ += found.evaluations;
    return found.t;
  }

  // The target is usually relative to the P of the last check, and P has decreased since.
  double safety_factor() const { return gap_factor_ * (primal_ > 0 ? std::max(1.0, checked_primal_ / primal_) : 1.0); }
  void update_estimate() {
    double gap = 0;
    if (lambda_ > 0 && penalized_.empty()) {
      gap = at_point_.gg / (2 * lambda_);
    } else {
      find_direction();
      gap = -0.5 * along_.gd;
    }
    estimated_gap_ = safety_factor() * gap;
  }

  const Problem& problem_;
  double lambda_;
  std::vector<double> penalized_;  // 1 or 0 per feature; empty: all 1
  std::unique_ptr<RowLosses> losses_;
  CurvaturePairs pairs_;
  Eigen::VectorXd x_, g_, d_, previous_;  // previous: g before the step
  PointProducts at_point_;
  LineProducts along_;
  bool has_direction_ = false;  // d and `along` are those of x
  double primal_ = 0;
  double checked_primal_ = 0;        // P at the last check
  double estimated_gap_ = infinity;  // the gap of the point times the safety factor
  double gap_factor_ = 1;            // increased after a check that does not confirm the estimate
  double passes_ = 0, entries_ = 0, step_length_ = 0, skipped_ = 0, evaluations_ = 0;
};

}  // namespace

std::unique_ptr<Solver> make_lbfgs(const Problem& problem, const LbfgsSpec& spec, const Start& start) {
  return std::make_unique<Lbfgs>(problem, spec, start);
}

}  // namespace seesaw
