// The engine of primal_dual.h, for one storage of the rows. Each storage is compiled in its own file (primal_dual_*.cpp):
// losses x penalties x extrapolations make this the largest number of template instantiations.
#pragma once

#include <algorithm>
#include <cmath>

#include "base/stop.h"
#include "base/threads.h"
#include "base/tree_sum.h"
#include "solvers/engines/primal_dual.h"
#include "solvers/parts/common/dual_sums.h"
#include "solvers/parts/common/smoothing.h"
#include "solvers/parts/common/work_per_step.h"
#include "solvers/parts/primal/bias_coordinate.h"
#include "solvers/parts/primal/column_ranges.h"
#include "solvers/parts/primal/lazy_primal.h"

namespace seesaw {

template <class RowStorage, class LossType, bool has_l1, Extrapolate extrapolate>
class PrimalDual final : public Solver {
  static constexpr bool primal = extrapolate == Extrapolate::primal;
  using Duals = DualRows<LossType>;

 public:
  PrimalDual(const Problem& problem, const RowStorage& rows, const LossType& loss, PrimalDualSpec spec,
             const Start& start)
      : problem_(problem),
        rows_(rows),
        spec_(std::move(spec)),
        rule_(*spec_.rule),
        smoothing_(problem),
        y_(problem, loss, spec_.dual_step),
        outputs_(y_.outputs().size()),
        x_(problem.d(), y_.outputs(), problem.penalty),
        bias_(rule_.facts.bias_entry, problem.penalty.l2(), outputs_),
        z_(outputs_ * spec_.batch),
        dy_(z_.size()),
        ds_(z_.size()),
        dx_(z_.size()),
        moves_(spec_.batch),
        columns_(rows, parts_of_batch(rows, spec_.batch, outputs_)) {
    retune();
    begin(start);
    rule_.begin(*this);
  }

  void epoch() override {
    const std::uint64_t end = draws_ + y_.size();
    if (rule_.facts.drawable.empty()) {
      draws_ = end;  // no variables to move; the pass is counted
      return;
    }
    bool complete = true;
    if (spec_.batch == 1) {
      complete = single_steps(y_.size());
    } else {
      StopPoll stop(static_cast<double>(spec_.batch) * work_per_step(rows_, outputs_));
      while (draws_ < end && complete) {
        batch_step();
        complete = !stop.requested();
      }
    }
    bias_.end_pass();
    x_.settle();
    if (!complete) return;
    if (++passes_since_sum_ == 50) recompute_sums();
    const StepRule::Retuned retuned = rule_.end_pass(*this, y_.gamma());
    extra_passes_ += retuned.passes;
    if (retuned.steps) load(*retuned.steps);
  }

  void read(Point& point) override {
    x_.read(point.x);
    // Removes from x what add() has added for the next step. A coordinate that is 0 up to rounding is returned as 0.
    const double rounding = 1e-14 * problem_.penalty.l1() / problem_.penalty.l2();
    if (last_ != none)
      for_each(rows_.row(last_), [&](std::size_t j, double value) {
        for (std::size_t k = 0; k < outputs_; ++k) {
          double& x = point.x[j * outputs_ + k];
          const double pending = value * dx_[k];
          x = problem_.penalty.l1() > 0 && std::abs(x - pending) <= rounding + 1e-15 * std::abs(pending) ? 0
                                                                                                         : x - pending;
        }
      });
    if (problem_.penalty.has_bounds())  // rounding
      for (std::size_t at = 0; at < point.x.size(); ++at)
        point.x[at] = problem_.penalty.bounds(at / outputs_).clip(point.x[at]);
    point.intercept.assign(outputs_, 0.0);
    if (bias_.present()) bias_.read(point.intercept);
    y_.read(point.y);
  }

  Work work() const override {
    return {static_cast<double>(draws_) / static_cast<double>(y_.size()) + extra_passes_,
            static_cast<double>(entries_) + extra_passes_ * static_cast<double>(rows_.entries())};
  }

  Diagnostics diagnostics() const override {
    return smoothing_.with(Diagnostics{{{"tau", mean_tau_}, {"sigma", mean_sigma_}, {"theta", mean_theta_}}});
  }

  void on_check(const Checked& checked) override {
    if (smoothing_.follow(*this, checked)) retune();
  }

 private:
  bool single_steps(std::size_t count) {  // false if stopped
    constexpr std::size_t ahead = 4;
    const bool at_draws = rule_.changes_at_draws(), uses_moves = rule_.uses_moves();
    StopPoll stop(work_per_step(rows_, outputs_));
    draws_ += count;
    order_.resize(std::min(rule_.sampler->block(), count));
    for (std::size_t left = count; left > 0;) {
      const std::span<std::uint32_t> order(order_.data(), std::min(order_.size(), left));
      if (const double sigma = rule_.map_sigma(); sigma > 0) send_gradient_maps(sigma);
      rule_.sampler->fill(order);
      for (std::size_t k = 0; k < order.size(); ++k) {
        const std::uint32_t i = order[k];
        if (k + ahead < order.size()) {
          __builtin_prefetch(&y_[order[k + ahead]]);
          prefetch(rows_.row(order[k + ahead]));
        }
        if (at_draws) {
          const auto [sigma, weight] = rule_.at_draw(i);
          y_.load(i, sigma, weight);
        }
        step(i);
        if (uses_moves) rule_.moved(i, size_of(dy_.data()));
        if (stop.requested()) return false;
      }
      left -= order.size();
    }
    return true;
  }

  void send_gradient_maps(double sigma) {
    maps_.resize(y_.size());
    for (std::uint32_t i : rule_.facts.drawable) {
      score(rows_.row(i), z_.data());
      maps_[i] = y_.gradient_map(i, z_.data(), 1 / sigma, dy_.data());
    }
    rule_.follow(maps_);
    extra_passes_ += 1;
  }

  // One row, in the order of the head comment.
  void step(std::uint32_t i) {
    const auto a = rows_.row(i);
    const typename Duals::Row& row = y_[i];
    double* const z = z_.data();
    double* const dy = dy_.data();
    if constexpr (!primal) step_of_x(row.tau);  // x = prox(x - tau (s + e))
    score(a, z);                                // a.xbar, or a.x
    y_.move(i, z, dy);
    if constexpr (primal) {
      add(a, row, dy,
          row.tau * (row.weight - row.normalized_weight));  // c_i dy is already contained in s
      step_of_x(row.tau);
      theta_ = row.theta;
    } else {
      add(a, row, dy, row.tau * row.theta * row.weight);  // tau e, for the next step
      last_ = i;
    }
    entries_ += 2 * a.size;
  }

  // Several rows, which are distinct: all scores at the same xbar, then one step of x. Scores and dual steps are parallel
  // over rows, updates over ranges of columns; both have the same bits for any number of parts.
  void batch_step() {
    const std::size_t batch = spec_.batch;
    draws_ += batch;
    order_.resize(batch);
    rule_.sampler->fill(order_);
    const Chunks parts{batch, std::min(batch, columns_.count())};
    parallel_inside(parts.count, [&](std::size_t part) {
      for (std::size_t k = parts.begin(part); k < parts.end(part); ++k) {
        score(rows_.row(order_[k]), &z_[k * outputs_]);
        y_.move(order_[k], &z_[k * outputs_], &dy_[k * outputs_]);
      }
    });
    double tau = infinity, theta = 0, inverse_tau = 0, time = 0;
    for (std::size_t k = 0; k < batch; ++k) {
      const typename Duals::Row& row = y_[order_[k]];
      tau = std::min(tau, row.tau);
      theta = std::max(theta, row.theta);
      inverse_tau += 1 / row.tau;
      time += 1 / (1 - row.theta);
      entries_ += 2 * rows_.row(order_[k]).size;
    }
    if (spec_.batch_norm == BatchNorm::mean) {  // 1/tau and 1/(1 - theta) are linear in the norm
      tau = static_cast<double>(batch) / inverse_tau;
      theta = 1 - static_cast<double>(batch) / time;
    }
    for (std::size_t k = 0; k < batch; ++k) {
      const typename Duals::Row& row = y_[order_[k]];
      if (set_moves(row, &dy_[k * outputs_], tau * (row.weight - row.normalized_weight), k) && bias_.present())
        bias_.add(&ds_[k * outputs_], &dx_[k * outputs_]);
    }
    if (columns_.count() == 1) {
      for (std::size_t k = 0; k < batch; ++k)
        if (moves_[k]) x_.add(rows_.row(order_[k]), &ds_[k * outputs_], &dx_[k * outputs_]);
    } else {
      parallel_inside(columns_.count(), [&](std::size_t range) {
        for (std::size_t k = 0; k < batch; ++k) {
          if (!moves_[k]) continue;
          const auto [row, first] = part_of(rows_.row(order_[k]), columns_.begin(range), columns_.end(range));
          x_.add(row, &ds_[k * outputs_], &dx_[k * outputs_], first);
        }
      });
    }
    step_of_x(tau);
    theta_ = theta;
  }

  // Parts of a batch, at most one per thread: a part has at least `least_work` entries, below which synchronization takes
  // more time than a second thread saves. One with l1, where a score may encode coordinates.
  static std::size_t parts_of_batch(const RowStorage& rows, std::size_t batch, std::size_t outputs) {
    constexpr double least_work = 0x1p14;
    if (has_l1 || batch == 1) return 1;
    const double work = static_cast<double>(batch) * work_per_step(rows, outputs);
    return std::clamp<std::size_t>(static_cast<std::size_t>(work / least_work), 1, available_threads());
  }

  void score(typename RowStorage::Row a, double* z) {
    x_.score(a, theta_, z);
    if (bias_.present()) bias_.score(theta_, z);
  }

  // s += c dy a, and x -= by dy a, before the proximal step.
  void add(typename RowStorage::Row a, const typename Duals::Row& row, const double* dy, double by) {
    if (!set_moves(row, dy, by, 0)) return;
    x_.add(a, ds_.data(), dx_.data());
    if (bias_.present()) bias_.add(ds_.data(), dx_.data());
  }

  // The updates of s and x for row k of the batch; false if there are none.
  bool set_moves(const typename Duals::Row& row, const double* dy, double by, std::size_t k) {
    double* const ds = &ds_[k * outputs_];
    double* const dx = &dx_[k * outputs_];
    bool moves = false;
    for (std::size_t output = 0; output < outputs_; ++output) {
      ds[output] = row.normalized_weight * dy[output];
      dx[output] = -by * dy[output];
      moves |= dy[output] != 0;
    }
    moves_[k] = moves;
    return moves;
  }

  void step_of_x(double tau) {
    x_.step(tau);
    if (bias_.present()) bias_.step(tau);
  }

  double size_of(const double* block) const {
    double squares = 0;
    for (std::size_t k = 0; k < outputs_; ++k) squares += block[k] * block[k];
    return std::sqrt(squares);
  }

  void retune() {
    if (smoothing_.needed()) y_.smooth(smoothing_.g());
    load(rule_.steps(y_.gamma()));
  }

  void load(const Steps& steps) {
    y_.load(steps, rule_.facts.drawable);
    mean_tau_ = mean_of(steps.tau);
    mean_sigma_ = mean_of(steps.sigma);
    mean_theta_ = mean_of(steps.theta);
  }

  void begin(const Start& start) {
    const bool warm = !start.y.empty();
    const std::vector<double> intercepts = starting_intercepts(problem_, start);
    std::vector<double> s, sums;
    for (std::size_t i = 0; i < y_.size(); ++i)
      if (rule_.facts.empty(i)) y_.solve_empty(i);
      else if (warm) y_.start(i, &start.y[i * outputs_]);
    y_.sum(problem_, s, sums);
    const std::vector<double> x = starting_x(problem_, start, s);
    if (spec_.dual_step == DualStep::dual_free) {
      for (std::uint32_t i : rule_.facts.drawable)
        y_.start_at_score(i, warm ? dot(rows_.row(i), x.data()) + intercepts[0] : y_.neutral_score(i));
      y_.sum(problem_, s, sums);
    }
    x_.set(x, s);
    if (bias_.present()) bias_.set(intercepts, sums);
  }

  void recompute_sums() {
    std::vector<double> s, sums;
    y_.sum(problem_, s, sums);
    x_.set_sum(s);
    if (bias_.present()) bias_.set_sum(sums);
    passes_since_sum_ = 0;
  }

  static constexpr std::size_t none = static_cast<std::size_t>(-1);

  const Problem& problem_;
  RowStorage rows_;
  PrimalDualSpec spec_;
  StepRule& rule_;
  Smoothing smoothing_;
  Duals y_;
  std::size_t outputs_;
  LazyPrimal<has_l1, primal, typename Duals::Outputs> x_;  // with s
  BiasCoordinate bias_;
  double theta_ = 0;         // of the last step; always 0 if the dual point is extrapolated
  std::size_t last_ = none;  // the row whose e is already contained in x

  std::vector<double> z_, dy_, ds_, dx_;  // of the rows of a batch
  std::vector<double> maps_;              // of all rows, for ideal sampling
  std::vector<unsigned char> moves_;
  ColumnRanges columns_;
  std::vector<std::uint32_t> order_;
  std::uint64_t draws_ = 0, entries_ = 0;
  int passes_since_sum_ = 0;
  double extra_passes_ = 0;
  double mean_tau_ = 0, mean_sigma_ = 0, mean_theta_ = 0;  // over the rows
};

template <class RowStorage, class LossType>
std::unique_ptr<Solver> assemble_primal_dual(const Problem& problem, const RowStorage& rows, const LossType& loss,
                                             PrimalDualSpec spec, const Start& start) {
  const auto make = [&]<bool has_l1>() -> std::unique_ptr<Solver> {
    if (spec.extrapolate == Extrapolate::dual)
      return std::make_unique<PrimalDual<RowStorage, LossType, has_l1, Extrapolate::dual>>(problem, rows, loss,
                                                                                           std::move(spec), start);
    return std::make_unique<PrimalDual<RowStorage, LossType, has_l1, Extrapolate::primal>>(problem, rows, loss,
                                                                                           std::move(spec), start);
  };
  return problem.penalty.l1() == 0 && problem.penalty.uniform() ? make.template operator()<false>()
                                                                : make.template operator()<true>();
}

template <class RowStorage>
std::unique_ptr<Solver> make_primal_dual_on(const RowStorage& rows, const Problem& problem, PrimalDualSpec spec,
                                            const Start& start) {
  const auto with_loss = [&](const auto& loss) {
    return assemble_primal_dual(problem, rows, loss, std::move(spec), start);
  };
  return problem.is_block() ? std::visit(with_loss, problem.block().loss)
                            : std::visit(with_loss, problem.scalar().loss);
}

}  // namespace seesaw
