#include "solvers/engines/gradient_snapshot.h"

#include "solvers/parts/common/smoothing.h"
#include "solvers/parts/common/work_per_step.h"
#include "solvers/parts/primal/derivative_rows.h"
#include "solvers/parts/primal/lazy_katyusha.h"
#include "solvers/parts/primal/primal_point.h"
#include "solvers/parts/sampling/draw_rows.h"

namespace seesaw {
namespace {

// The path of x for SVRG; LazyKatyusha is the other one.
template <bool has_l1>
class PlainPath {
 public:
  PlainPath(const Problem& problem, double bias_entry) : x_(problem, bias_entry) {}
  void tune(double step, double L, std::size_t) { eta_ = step / L; }
  double step_size() const { return eta_; }
  void set(const std::vector<double>& x, const std::vector<double>& intercept) {
    x_.set(x, intercept, std::vector<double>(x.size()), {0.0});
  }
  void set_sum(const std::vector<double>& s, const std::vector<double>& sums) { x_.set_sum(s, sums); }
  double score(auto a) { return x_.score(a); }
  void step(auto a, double derivative) {
    if (derivative != 0) x_.step(a, 0, -eta_ * derivative, eta_);
    else x_.step(eta_);
  }
  void end_pass() { x_.settle(); }
  void end_period() {}
  static constexpr bool reads_snapshot() { return false; }  // read() returns x, also within a period
  double work_per_step(const auto& rows) const { return seesaw::work_per_step(rows); }
  void read(std::vector<double>& x, std::vector<double>& intercept) { x_.read(x, intercept); }

 private:
  PrimalPoint<has_l1> x_;
  double eta_ = 0;
};

template <class RowStorage, class LossType, class Path>
class GradientSnapshot final : public Solver {
 public:
  GradientSnapshot(const Problem& problem, const RowStorage& rows, const LossType& loss,
                   const GradientSnapshotSpec& spec, const Start& start)
      : problem_(problem),
        rows_(rows),
        spec_(spec),
        facts_(problem),
        sampler_(uniform_sampler(facts_, spec.draw, 1, Rng(spec.seed))),
        smoothing_(problem),
        y_(problem, loss, facts_, start),
        x_(problem, facts_.bias_entry) {
    retune();
    y_.read(snapshot_.y);
    snapshot_.intercept = starting_intercepts(problem_, start);
    weighted_sums(problem_, snapshot_.y, s_, sums_);
    snapshot_.x = starting_x(problem_, start, s_);
    x_.set(snapshot_.x, snapshot_.intercept);
    x_.set_sum(s_, sums_);
    snapshot_taken_ = !start.y.empty();  // any y is a valid correction if s is computed from it
  }

  void epoch() override {
    passes_ += 1 + passes_per_period;
    if (facts_.drawable.empty()) return;  // no variables to move; the pass is counted
    take_snapshot();
    entries_ += 2 * rows_.entries();
    for (std::size_t pass = 0; pass < passes_per_period; ++pass) {
      const bool complete = draw_rows(
          *sampler_, order_, y_.size(), x_.work_per_step(rows_),
          [this](std::uint32_t i) {
            __builtin_prefetch(&y_[i]);
            prefetch(rows_.row(i));
          },
          [this](std::uint32_t i) { step(i); });
      x_.end_pass();
      if (!complete) {
        snapshot_taken_ = x_.reads_snapshot();
        return;
      }
    }
    x_.end_period();
    snapshot_taken_ = false;
  }

  // The product of this snapshot is also used by the next period.
  void read(Point& point) override {
    take_snapshot();
    point = snapshot_;
  }

  Work work() const override { return {static_cast<double>(passes_), static_cast<double>(entries_)}; }

  Diagnostics diagnostics() const override { return smoothing_.with(Diagnostics{{{"tau", x_.step_size()}}}); }

  void on_check(const Checked& checked) override {
    if (!smoothing_.follow(*this, checked)) return;
    retune();
    snapshot_taken_ = false;  // the derivatives have changed
  }

 private:
  static constexpr std::size_t passes_per_period = 2;

  void step(std::uint32_t i) {
    const auto a = rows_.row(i);
    const typename DerivativeRows<LossType>::Row& row = y_[i];
    const double dy = y_.derivative(row, x_.score(a)) - row.y;
    x_.step(a, row.weight * dy);  // along s + n c_i dy a_i
    entries_ += 2 * a.size;
  }

  void take_snapshot() {
    if (snapshot_taken_) return;
    x_.read(snapshot_.x, snapshot_.intercept);
    y_.derivatives_at(snapshot_.x, snapshot_.intercept[0], snapshot_.y);
    y_.set(snapshot_.y);
    weighted_sums(problem_, snapshot_.y, s_, sums_);
    x_.set_sum(s_, sums_);
    snapshot_taken_ = true;
  }

  void retune() {
    if (smoothing_.needed()) y_.smooth(smoothing_.g());
    x_.tune(spec_.step, row_smoothness(facts_, y_.gamma()), passes_per_period * y_.size());
  }

  const Problem& problem_;
  RowStorage rows_;
  GradientSnapshotSpec spec_;
  RowFacts facts_;
  std::unique_ptr<Sampler> sampler_;
  Smoothing smoothing_;
  DerivativeRows<LossType> y_;  // at the snapshot
  Path x_;                      // with s

  Point snapshot_;
  bool snapshot_taken_ = false;
  std::vector<double> s_, sums_;
  std::vector<std::uint32_t> order_;
  std::uint64_t passes_ = 0, entries_ = 0;
};

template <class RowStorage, class LossType, bool has_l1>
std::unique_ptr<Solver> assemble(const Problem& problem, const RowStorage& rows, const LossType& loss,
                                 const GradientSnapshotSpec& spec, const Start& start) {
  if (spec.momentum == Momentum::none)
    return std::make_unique<GradientSnapshot<RowStorage, LossType, PlainPath<has_l1>>>(problem, rows, loss, spec,
                                                                                       start);
  return std::make_unique<GradientSnapshot<RowStorage, LossType, LazyKatyusha<has_l1>>>(problem, rows, loss, spec,
                                                                                        start);
}

}  // namespace

std::unique_ptr<Solver> make_gradient_snapshot(const Problem& problem, const GradientSnapshotSpec& spec,
                                               const Start& start) {
  return std::visit(
      [&](const auto& rows, const auto& loss) {
        using RowStorage = std::decay_t<decltype(rows)>;
        using LossType = std::decay_t<decltype(loss)>;
        return problem.penalty.l1() == 0 ? assemble<RowStorage, LossType, false>(problem, rows, loss, spec, start)
                                         : assemble<RowStorage, LossType, true>(problem, rows, loss, spec, start);
      },
      problem.data->rows, problem.scalar().loss);
}

}  // namespace seesaw
