#include "solvers/engines/gradient_table.h"

#include "solvers/parts/common/smoothing.h"
#include "solvers/parts/common/work_per_step.h"
#include "solvers/parts/primal/derivative_rows.h"
#include "solvers/parts/primal/primal_point.h"
#include "solvers/parts/sampling/draw_rows.h"

namespace seesaw {
namespace {

template <class RowStorage, class LossType, bool has_l1>
class GradientTable final : public Solver {
 public:
  GradientTable(const Problem& problem, const RowStorage& rows, const LossType& loss, const GradientTableSpec& spec,
                const Start& start)
      : problem_(problem),
        rows_(rows),
        spec_(spec),
        facts_(problem),
        sampler_(uniform_sampler(facts_, spec.draw, 1, Rng(spec.seed))),
        smoothing_(problem),
        y_(problem, loss, facts_, start),
        x_(problem, facts_.bias_entry) {
    retune();
    weighted_sums(problem_, table(), s_, sums_);
    x_.set(starting_x(problem_, start, s_), starting_intercepts(problem_, start), s_, sums_);
  }

  void epoch() override {
    draws_ += y_.size();
    if (facts_.drawable.empty()) return;  // no variables to move; the pass is counted
    const bool complete = draw_rows(
        *sampler_, order_, y_.size(), work_per_step(rows_),
        [this](std::uint32_t i) {
          __builtin_prefetch(&y_[i]);
          prefetch(rows_.row(i));
        },
        [this](std::uint32_t i) { step(i); });
    x_.settle();
    if (!complete) return;
    if (++passes_since_sum_ == 50) recompute_sums();
  }

  void read(Point& point) override {
    x_.read(point.x, point.intercept);
    if (problem_.penalty.has_bounds())  // what rounding left
      for (std::size_t j = 0; j < point.x.size(); ++j) point.x[j] = problem_.penalty.bounds(j).clip(point.x[j]);
    y_.read(point.y);
  }

  Work work() const override {
    return {static_cast<double>(draws_) / static_cast<double>(y_.size()), static_cast<double>(entries_)};
  }

  Diagnostics diagnostics() const override { return smoothing_.with(Diagnostics{{{"tau", eta_}}}); }

  void on_check(const Checked& checked) override {
    if (smoothing_.follow(*this, checked)) retune();
  }

 private:
  void step(std::uint32_t i) {
    const auto a = rows_.row(i);
    typename DerivativeRows<LossType>::Row& row = y_[i];
    const double z = x_.score(a);  // a_i.x + b
    const double y = y_.derivative(row, z), dy = y - row.y;
    const double ahead =
        spec_.direction == Direction::saga ? row.weight - row.normalized_weight : 0;  // c_i dy is added through s
    entries_ += 2 * a.size;
    if (dy != 0) x_.step(a, row.normalized_weight * dy, -eta_ * ahead * dy, eta_);  // x <- prox_eta(x - eta (s + ...))
    else x_.step(eta_);
    row.y = y;
  }

  void retune() {
    if (smoothing_.needed()) y_.smooth(smoothing_.g());
    eta_ = spec_.step / row_smoothness(facts_, y_.gamma());
  }

  std::vector<double> table() const {
    std::vector<double> y;
    y_.read(y);
    return y;
  }

  void recompute_sums() {  // removes accumulated rounding errors
    weighted_sums(problem_, table(), s_, sums_);
    x_.set_sum(s_, sums_);
    passes_since_sum_ = 0;
  }

  const Problem& problem_;
  RowStorage rows_;
  GradientTableSpec spec_;
  RowFacts facts_;
  std::unique_ptr<Sampler> sampler_;
  Smoothing smoothing_;
  DerivativeRows<LossType> y_;  // the table
  PrimalPoint<has_l1> x_;       // with s
  double eta_ = 0;

  std::vector<double> s_, sums_;
  std::vector<std::uint32_t> order_;
  std::uint64_t draws_ = 0, entries_ = 0;
  int passes_since_sum_ = 0;
};

}  // namespace

std::unique_ptr<Solver> make_gradient_table(const Problem& problem, const GradientTableSpec& spec, const Start& start) {
  return std::visit(
      [&](const auto& rows, const auto& loss) -> std::unique_ptr<Solver> {
        using RowStorage = std::decay_t<decltype(rows)>;
        using LossType = std::decay_t<decltype(loss)>;
        if (problem.penalty.l1() == 0 && problem.penalty.uniform())
          return std::make_unique<GradientTable<RowStorage, LossType, false>>(problem, rows, loss, spec, start);
        return std::make_unique<GradientTable<RowStorage, LossType, true>>(problem, rows, loss, spec, start);
      },
      problem.data->rows, problem.scalar().loss);
}

}  // namespace seesaw
