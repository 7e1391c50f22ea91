#include "solvers/engines/doubly_stochastic.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/stop.h"
#include "data/entry.h"
#include "solvers/parts/common/dual_sums.h"
#include "solvers/parts/common/smoothing.h"
#include "solvers/parts/common/work_per_step.h"
#include "solvers/parts/dual/dual_rows.h"
#include "solvers/parts/primal/bias_coordinate.h"

namespace seesaw {
namespace {

template <class Storage, class LossType>
class DoublyStochastic final : public Solver {
 public:
  DoublyStochastic(const Problem& problem, const Storage& rows, const Storage& columns, const LossType& loss,
                   DoublyStochasticSpec spec, const Start& start)
      : problem_(problem),
        rows_(rows),
        columns_(columns),
        spec_(std::move(spec)),
        steps_per_pass_(steps_per_pass(spec_.row_facts, spec_.column_facts)),
        smoothing_(problem),
        y_(problem, loss, DualStep::euclidean),
        bias_(spec_.row_facts.bias_entry, problem.penalty.l2(), 1),
        sum_(1) {
    retune();
    begin(start);
  }

  void epoch() override {
    if (rows_.entries() == 0 || steps_per_pass_ == 0) ++idle_passes_;  // no variables to move; the pass is counted
    StopPoll stop(work_per_step(rows_) + work_per_step(columns_));
    bool complete = true;
    for (std::size_t left = steps_per_pass_; left > 0 && complete;) {
      const std::size_t block = std::min({left, spec_.rows->block(), spec_.columns->block()});
      row_order_.resize(block);
      column_order_.resize(block);
      spec_.rows->fill(row_order_);
      if (has_columns()) spec_.columns->fill(column_order_);
      for (std::size_t t = 0; t < block && complete; ++t) {
        step(row_order_[t], column_order_[t]);
        complete = !stop.requested();
      }
      left -= block;
    }
    spec_.rows->end_pass();
    spec_.columns->end_pass();
    if (bias_.present()) {
      bias_.end_pass();
      sum_bias_again();
    }
  }

  void read(Point& point) override {
    point.x = xbar_;
    if (has_columns()) point.x[last_] = x_last_;
    point.intercept.assign(1, 0.0);
    if (bias_.present()) bias_.read(point.intercept);
    y_.read(point.y);
  }

  Work work() const override {
    const auto both_ways = static_cast<double>(2 * std::max<std::size_t>(rows_.entries(), 1));
    return {static_cast<double>(entries_) / both_ways + idle_passes_, static_cast<double>(entries_)};
  }

  Diagnostics diagnostics() const override {
    return smoothing_.with(Diagnostics{{{"tau", tau_}, {"sigma", sigma_}, {"theta", theta_}}});
  }

  void on_check(const Checked& checked) override {
    if (smoothing_.follow(*this, checked)) retune();
  }

 private:
  bool has_columns() const { return !spec_.column_facts.drawable.empty(); }

  void step(std::uint32_t i, std::uint32_t j) {
    const auto a = rows_.row(i);
    const double p = spec_.rows->probability(i), mp = spec_.row_facts.m * p;
    const double normalized_weight = problem_.normalized_weight[i], weight = normalized_weight / p;  // c_i, c_i/p_i
    double z = dot(a, xbar_.data()), dy = 0;
    if (bias_.present()) bias_.score(theta_, &z);
    y_.load(i, sigma_ * stretch(mp), weight);
    y_.move(i, &z, &dy);
    if (has_columns()) step_of_x(j, weight * dy * entry(a, j));
    if (bias_.present()) step_of_bias(normalized_weight * dy, (weight - normalized_weight) * dy);
    cy_[i] = normalized_weight * y_[i].y;
    spec_.rows->feedback(i, std::abs(dy) * (mp / sigma_));  // |pi_i|
    entries_ += a.size;
  }

  // x_j' = prox_tau_j(x_j - tau_j (s_j + row_term)): cy and s_j are those before the step.
  void step_of_x(std::uint32_t j, double row_term) {
    const auto column = columns_.row(j);
    const double q = spec_.columns->probability(j), kq = spec_.column_facts.k * q;
    const double tau = tau_ * stretch(kq), derivative = dot(column, cy_.data()) + row_term;
    xbar_[last_] = x_last_;
    last_ = j;
    x_last_ =
        soft_threshold(xbar_[j] - tau * derivative, tau * problem_.penalty.l1()) / (1 + tau * problem_.penalty.l2());
    const double dx = x_last_ - xbar_[j];
    xbar_[j] = x_last_ + (spec_.extrapolation == ColumnExtrapolation::plain ? theta_ : theta_ / q) * dx;
    spec_.columns->feedback(j, std::abs(dx) * (kq / tau_));  // |psi_j|
    entries_ += column.size;
  }

  void step_of_bias(double ds, double row_term) {
    const double dx = -tau_bias_ * row_term;
    bias_.add(&ds, &dx);
    bias_.step(tau_bias_);
  }

  double stretch(double mp) const { return spec_.clip ? std::min(1 / mp, mp) : 1 / mp; }

  void retune() {
    if (smoothing_.needed()) y_.smooth(smoothing_.g());
    const double m = spec_.row_facts.m, k = std::max(spec_.column_facts.k, 1.0), t = spec_.row_facts.bias_entry;
    const double a = has_columns() ? spec_.column_facts.largest_entry : t;
    const double lambda = problem_.penalty.l2(), gamma = y_.gamma(), balance = std::sqrt(m * lambda / gamma);
    tau_ = spec_.factor / (2 * a * balance);
    sigma_ = spec_.factor * balance / (2 * k * a);
    theta_ = 1 - 1 / std::max(m + m / (2 * sigma_ * gamma), k + k / (2 * tau_ * lambda));
    double heaviest = 0;
    for (double c : problem_.normalized_weight) heaviest = std::max(heaviest, c);
    tau_bias_ = std::min(tau_ / k, (1 + sigma_ * gamma) / (4 * sigma_ * m * heaviest * t * t));
  }

  void begin(const Start& start) {
    const bool warm = !start.y.empty();
    for (std::size_t i = 0; i < y_.size(); ++i)
      if (spec_.row_facts.empty(i)) y_.solve_empty(i);
      else if (warm) y_.start(i, &start.y[i]);
    std::vector<double> s;
    y_.sum(problem_, s, sum_);
    y_.read(cy_);
    for (std::size_t i = 0; i < cy_.size(); ++i) cy_[i] *= problem_.normalized_weight[i];
    const std::vector<double> x = starting_x(problem_, start, s);
    xbar_.assign(problem_.d(), 0.0);
    for (std::uint32_t j : spec_.column_facts.drawable) xbar_[j] = x[j];  // 0 in empty columns
    if (has_columns()) {
      last_ = spec_.column_facts.drawable[0];
      x_last_ = xbar_[last_];
    }
    if (bias_.present()) bias_.set(starting_intercepts(problem_, start), sum_);
  }

  void sum_bias_again() {  // recomputed to remove accumulated rounding errors
    sum_[0] = std::accumulate(cy_.begin(), cy_.end(), 0.0);
    bias_.set_sum(sum_);
  }

  const Problem& problem_;
  Storage rows_, columns_;
  DoublyStochasticSpec spec_;
  std::size_t steps_per_pass_;
  Smoothing smoothing_;

  DualRows<LossType> y_;
  std::vector<double> cy_;    // c_i y_i
  std::vector<double> xbar_;  // x, except for the coordinate that moved last
  std::uint32_t last_ = 0;    // that coordinate
  double x_last_ = 0;         // and its x
  BiasCoordinate bias_;
  std::vector<double> sum_;  // of c_i y_i
  double tau_ = 0, sigma_ = 0, theta_ = 0, tau_bias_ = 0;

  std::vector<std::uint32_t> row_order_, column_order_;
  std::uint64_t entries_ = 0;
  double idle_passes_ = 0;
};

}  // namespace

std::size_t steps_per_pass(const RowFacts& rows, const ColumnFacts& columns) {
  if (rows.drawable.empty() || columns.drawable.empty()) return rows.drawable.size();
  return static_cast<std::size_t>(std::ceil(2 / (1 / rows.m + 1 / columns.k)));
}

std::unique_ptr<Solver> make_doubly_stochastic(const Problem& problem, DoublyStochasticSpec spec, const Start& start) {
  return std::visit(
      [&](const auto& rows, const auto& loss) -> std::unique_ptr<Solver> {
        using Storage = std::decay_t<decltype(rows)>;
        return std::make_unique<DoublyStochastic<Storage, std::decay_t<decltype(loss)>>>(
            problem, rows, std::get<Storage>(problem.columns()), loss, std::move(spec), start);
      },
      problem.data->rows, problem.scalar().loss);
}

}  // namespace seesaw
