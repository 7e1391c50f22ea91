#include "solvers/engines/single_entry.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "base/stop.h"
#include "sampling/score.h"
#include "solvers/parts/common/dual_sums.h"
#include "solvers/parts/common/smoothing.h"
#include "solvers/parts/sampling/entry_draws.h"

namespace seesaw {
namespace {

template <class LossType, bool has_l1>
class SingleEntry final : public Solver {
  // The data of a row and of a column that a step uses, one cache line each.
  struct alignas(64) Row {
    double y, snapshot;  // y_i, yt_i
    double score;        // z_i of the snapshot
    double b;            // label
    double q;            // 1/sigma_i
    double weight;       // k = weight of the row times spread of the column
    double spread;       // m = weight of the column times spread of the row
  };
  struct alignas(64) Column {
    double x, snapshot;  // x_j, xt_j
    double drift;        // tau_j s_j
    double step;         // tau_j times the spread of the column
    double shrink;       // 1/(1 + tau_j lambda)
    double threshold;    // tau_j l1
    double weight;
  };

 public:
  SingleEntry(const Problem& problem, const LossType& loss, const SingleEntrySpec& spec, const Start& start)
      : problem_(problem),
        loss_(loss),
        spec_(spec),
        smoothing_(problem),
        facts_(problem),
        probabilities_(facts_, spec.sampling, delta_at(0)),
        row_(problem.n()),
        column_(facts_.column_size.size()),
        x_(problem.d()),
        z_(problem.n()),
        cy_(problem.n()),
        s_(column_.size()) {
    begin(start);
    if (facts_.rows.empty()) return;
    row_scores_.resize(row_.size());
    column_scores_.resize(column_.size());
    draws_ = make_entry_draws(problem, probabilities_, spec.sampling, facts_.bias_entry, spec.seed,
                              spec.pools ? pool_size(facts_) : 0);
    feedback_ = feedback_of(problem, facts_, probabilities_);
    stored_ = std::visit([](const auto& rows) { return static_cast<double>(rows.entries()); }, problem.data->rows);
    const double given = std::max(stored_, facts_.n());  // data with only an intercept has no entries
    steps_per_period_ = std::max<std::uint64_t>(1, static_cast<std::uint64_t>(std::llround(spec.epoch_length * given)));
    retune();
  }

  void epoch() override {  // a snapshot, if used, and the steps from it
    if (facts_.rows.empty()) {
      ++idle_passes_;  // no variables to move; the pass is counted
      return;
    }
    if (const double delta = delta_at(work().passes); delta != probabilities_.delta()) change_delta(delta);
    if (spec_.variance_reduction) take_snapshot();
    else shorten_steps();
    draws_->begin_period();
    std::array<EntryDraw, 64> block;
    StopPoll stop(64.0 * static_cast<double>(block.size()));
    for (std::uint64_t left = steps_per_period_; left > 0 && !stop.requested();) {
      const std::span<EntryDraw> drawn(block.data(), std::min<std::uint64_t>(block.size(), left));
      draws_->fill(drawn);
      take_steps(drawn);
      left -= drawn.size();
    }
    ++periods_;
  }

  void read(Point& point) override {
    point.x.resize(problem_.d());
    point.y.resize(row_.size());
    for (std::size_t j = 0; j < point.x.size(); ++j) point.x[j] = column_[j].x;
    for (std::size_t i = 0; i < row_.size(); ++i) point.y[i] = row_[i].y;
    point.intercept = {intercept()};
  }

  Work work() const override {  // a snapshot is two products by A, a step reads three entries
    const double snapshot = spec_.variance_reduction ? 2 * stored_ : 0;
    const double entries = static_cast<double>(periods_) * (snapshot + 3 * static_cast<double>(steps_per_period_));
    return {static_cast<double>(idle_passes_) + entries / (2 * std::max({stored_, facts_.n(), 1.0})), entries};
  }

  Diagnostics diagnostics() const override { return smoothing_.with(Diagnostics{{{"tau", tau_}, {"sigma", sigma_}}}); }

  void on_check(const Checked& checked) override {
    if (!facts_.rows.empty() && smoothing_.follow(*this, checked)) retune();
  }

 private:
  void take_steps(std::span<const EntryDraw> drawn) {
    constexpr std::size_t ahead = 8;
    for (std::size_t k = 0; k < std::min(ahead, drawn.size()); ++k) prefetch_for(drawn[k]);
    for (std::size_t k = 0; k < drawn.size(); ++k) {
      if (k + ahead < drawn.size()) prefetch_for(drawn[k + ahead]);
      step(drawn[k]);
    }
  }

  // In the order of the head comment.
  [[gnu::always_inline]] void step(const EntryDraw& e) {
    Row& row = row_[e.i];
    Column& column = column_[e.j];
    const Row& other_row = row_[e.other_i];
    const Column& other_column = column_[e.other_j];
    const double xbar = prox(column, e.above * other_row.weight * (other_row.y - other_row.snapshot));
    const double ybar = dual(row, e.beside * other_column.weight * (other_column.x - other_column.snapshot));
    const double x = prox(column, e.a * row.weight * (ybar - row.snapshot));
    row.y = dual(row, e.a * column.weight * (xbar - column.snapshot));
    column.x = x;
  }

  [[gnu::always_inline]] double prox(const Column& c, double moved) const {
    const double u = c.x - c.drift - c.step * moved;
    return has_l1 ? soft_threshold(u, c.threshold) * c.shrink : u * c.shrink;
  }
  [[gnu::always_inline]] double dual(const Row& r, double moved) const {
    return loss_.dual_step(r.b, r.score + r.spread * moved, r.y, r.q);
  }

  void prefetch_for(const EntryDraw& e) const {
    __builtin_prefetch(&row_[e.i]);
    __builtin_prefetch(&row_[e.other_i]);
    __builtin_prefetch(&column_[e.j]);
    __builtin_prefetch(&column_[e.other_j]);
  }

  // ---- a period ----

  double delta_at(double passes) const {
    if (!(passes < spec_.ramp)) return spec_.delta;
    return spec_.delta_start + (spec_.delta - spec_.delta_start) * (passes / spec_.ramp);
  }

  void change_delta(double delta) {
    probabilities_.set_delta(delta);
    if (spec_.sampling != EntrySampling::norms) return;
    feedback_ = feedback_of(problem_, facts_, probabilities_);
    retune();
  }

  // Without variance reduction, where the center of the free intercept follows it.
  void shorten_steps() {
    retune();
    if (facts_.bias_entry > 0) column_.back().drift = -tau_of(problem_.d()) * problem_.penalty.l2() * column_.back().x;
  }

  void take_snapshot() {
    for (std::size_t j = 0; j < x_.size(); ++j) x_[j] = column_[j].x;
    for (std::size_t i = 0; i < row_.size(); ++i) cy_[i] = problem_.normalized_weight[i] * row_[i].y;
    multiply(problem_.data->rows, x_.data(), z_.data());
    multiply(problem_.columns(), cy_.data(), s_.data());
    if (facts_.bias_entry > 0) s_.back() = facts_.bias_entry * std::accumulate(cy_.begin(), cy_.end(), 0.0);
    for (std::size_t i = 0; i < row_.size(); ++i) {
      row_[i].snapshot = row_[i].y;
      row_[i].score = z_[i] + intercept();
    }
    if (spec_.sampling == EntrySampling::adaptive) follow_gradient_maps();
    for (std::uint32_t j : facts_.columns) {
      column_[j].snapshot = column_[j].x;
      column_[j].drift = tau_of(j) * (is_bias(j) ? s_[j] - problem_.penalty.l2() * column_[j].x : s_[j]);  // center: xt
    }
  }

  void follow_gradient_maps() {
    const double q = facts_.d() / sigma_, shrink = 1 / (1 + tau_ * problem_.penalty.l2());
    for (std::uint32_t i : facts_.rows) {
      const Row& row = row_[i];
      row_scores_[i] = score(q * std::abs(loss_.dual_step(row.b, row.score, row.y, q) - row.y), spec_.kappa);
    }
    for (std::uint32_t j : facts_.columns) {
      const double x = column_[j].x, next = soft_threshold(x - tau_ * s_[j], tau_ * problem_.penalty.l1()) * shrink;
      const double map =
          is_bias(j) ? s_[j] * shrink : (x - next) / tau_;  // the prox with center x, without cancellation
      column_scores_[j] = score(std::abs(map), spec_.kappa);
    }
    probabilities_.follow(row_scores_, column_scores_);
    load_steps();
  }

  // ---- steps ----

  bool is_bias(std::size_t j) const { return j == problem_.d(); }
  double tau_of(std::size_t j) const { return tau_ / (facts_.d() * probabilities_.column(j)); }
  double intercept() const { return facts_.bias_entry > 0 ? facts_.bias_entry * column_.back().x : 0; }

  void retune() {
    if constexpr (requires { loss_.curvature; })
      if (smoothing_.needed()) loss_.curvature = smoothing_.g();
    const double period = static_cast<double>(steps_per_period_);
    double eta = spec_.step / std::sqrt(feedback_.once + period * feedback_.noise);
    const double ratio = std::sqrt(loss_.gamma() / (facts_.n() * problem_.penalty.l2()));
    if (!spec_.variance_reduction) {
      const double rate = eta / facts_.d() * ratio * problem_.penalty.l2();
      eta /= 1 + rate * period * static_cast<double>(periods_) / 2;
    }
    tau_ = eta * ratio;
    sigma_ = eta / ratio;
    load_steps();
  }

  void load_steps() {
    for (std::uint32_t i : facts_.rows) {
      Row& row = row_[i];
      row.q = facts_.n() * facts_.d() * probabilities_.row(i) / sigma_;
      row.weight = problem_.normalized_weight[i] * probabilities_.row_weight(i);
      row.spread = probabilities_.row_spread(i);
    }
    for (std::uint32_t j : facts_.columns) {
      Column& column = column_[j];
      const double tau = tau_of(j);
      column.step = tau * probabilities_.column_spread(j);
      column.weight = probabilities_.column_weight(j);
      column.shrink = 1 / (1 + tau * problem_.penalty.l2());
      column.threshold = is_bias(j) ? 0 : tau * problem_.penalty.l1();
    }
  }

  void begin(const Start& start) {
    const bool warm = !start.y.empty();
    for (std::size_t i = 0; i < row_.size(); ++i) {
      row_[i].b = problem_.scalar().target[i];
      if (!(facts_.row_norm[i] > 0))
        row_[i].y = loss_.derivative(row_[i].b, 0);  // an empty row: optimal for the original loss
      else row_[i].y = warm ? loss_.domain(row_[i].b).clip(start.y[i]) : 0;
      cy_[i] = problem_.normalized_weight[i] * row_[i].y;
    }
    std::vector<double> s(x_.size());
    if (warm) multiply(problem_.columns(), cy_.data(), s.data());
    const std::vector<double> x = starting_x(problem_, start, s);
    for (std::uint32_t j : facts_.columns)
      column_[j].x = is_bias(j) ? starting_intercepts(problem_, start)[0] / facts_.bias_entry : x[j];
  }

  const Problem& problem_;
  LossType loss_;
  SingleEntrySpec spec_;
  Smoothing smoothing_;
  EntryFacts facts_;
  EntryProbabilities probabilities_;
  std::unique_ptr<EntryDraws> draws_;

  std::vector<Row> row_;
  std::vector<Column> column_;
  double tau_ = 0, sigma_ = 0;
  EntryFeedback feedback_;

  std::vector<double> x_, z_, cy_, s_;  // of the snapshot
  std::vector<double> row_scores_, column_scores_;
  double stored_ = 0;
  std::uint64_t steps_per_period_ = 0, periods_ = 0, idle_passes_ = 0;
};

}  // namespace

std::unique_ptr<Solver> make_single_entry(const Problem& problem, const SingleEntrySpec& spec, const Start& start) {
  return std::visit(
      [&](const auto& loss) -> std::unique_ptr<Solver> {
        using LossType = std::decay_t<decltype(loss)>;
        if (problem.penalty.l1() == 0)
          return std::make_unique<SingleEntry<LossType, false>>(problem, loss, spec, start);
        return std::make_unique<SingleEntry<LossType, true>>(problem, loss, spec, start);
      },
      problem.scalar().loss);
}

}  // namespace seesaw
