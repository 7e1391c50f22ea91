#include "solvers/engines/primal_dual.h"

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "model/intercept.h"
#include "solvers/parts/bias_coordinate.h"
#include "solvers/parts/lazy_primal.h"
#include "solvers/parts/smoothing.h"

namespace seesaw {
namespace {

// What a step needs of its row, on one cache line.
struct alignas(64) PrimalDualRow {
  double b;       // label
  double q;       // 1/sigma_i
  double weight;  // w_i
  double share;   // c_i
  double tau, theta;
  double y;       // of losses of one score
  double anchor;  // u_i of dual-free steps
};

template <class RowStorage, class LossType, bool has_l1, Extrapolate extrapolate>
class PrimalDual final : public Solver {
  static constexpr bool blocks = std::is_same_v<LossType, Softmax> || std::is_same_v<LossType, MulticlassHinge>;
  static constexpr bool primal = extrapolate == Extrapolate::primal;
  using Outputs = std::conditional_t<blocks, SeveralOutputs, OneOutput>;

 public:
  PrimalDual(const Problem& problem, const RowStorage& rows, const LossType& loss, PrimalDualSpec spec,
             const Start& start)
      : problem_(problem),
        rows_(rows),
        loss_(loss),
        spec_(std::move(spec)),
        rule_(*spec_.rule),
        batch_(spec_.batch),
        row_(problem.n()),
        outputs_(make_outputs(problem)),
        x_(problem.d(), outputs_, problem.lambda, problem.l1),
        bias_(rule_.facts.bias_entry, problem.lambda, outputs_.size()),
        z_(outputs_.size() * spec_.batch),
        dy_(z_.size()),
        ds_(outputs_.size()),
        dx_(outputs_.size()) {
    set_up(start);
    if (needs_smoothing()) smoothing_.begin(primal_at_zero());
    retune();
  }

  void epoch() override {
    const std::size_t n = row_.size();
    draws_ += n;
    if (rule_.facts.drawable.empty()) return;
    if (batch_ == 1) single_steps(n);
    else
      for (std::size_t drawn = 0; drawn < n; drawn += batch_) batch_step();
    bias_.end_pass();
    x_.settle();
    if (++passes_since_sum_ == 50) sum_again();
    const StepRule::Retuned retuned = rule_.end_pass(*this, gamma());
    extra_passes_ += retuned.passes;
    if (retuned.steps) load(*retuned.steps);
  }

  void read(Point& point) override {
    x_.read(point.x);
    if (last_ != none)  // what is prepared for the step to come is not in x yet
      for_each(rows_.row(last_), [&](std::size_t j, double value) {
        for (std::size_t k = 0; k < outputs_.size(); ++k) point.x[j * outputs_.size() + k] -= value * dx_[k];
      });
    point.intercept.assign(outputs_.size(), 0.0);
    if (bias_.present()) bias_.read(point.intercept);
    y_of_rows(point.y);
  }

  Work work() const override {
    return {static_cast<double>(draws_) / static_cast<double>(row_.size()) + extra_passes_,
            static_cast<double>(entries_) + extra_passes_ * static_cast<double>(rows_.entries())};
  }

  void hear(const Checked& checked) override {
    if (!needs_smoothing()) return;
    if (draws_ == 0 ? smoothing_.aim(checked.target) : smoothing_.hear(checked, smoothing_error())) retune();
  }

 private:
  static Outputs make_outputs(const Problem& problem) {
    if constexpr (blocks) return {problem.outputs()};
    else return {};
  }

  void set_up(const Start& start) {
    const bool warm = !start.y.empty();
    const std::size_t outputs = outputs_.size();
    std::vector<double> intercepts(outputs), x(problem_.d() * outputs);
    if (warm && start.x.size() == x.size()) x = start.x;
    if (problem_.free_intercept()) {
      if (warm) intercepts = start.intercept;
      else if constexpr (!blocks) intercepts[0] = best_intercept(problem_, std::vector<double>(problem_.n()), 0, 0);
    }
    if constexpr (blocks) y_ = warm ? start.y : std::vector<double>(row_.size() * outputs);
    for (std::size_t i = 0; i < row_.size(); ++i) {
      PrimalDualRow& row = row_[i];
      row.b = problem_.target[i];
      row.share = problem_.share[i];
      if constexpr (blocks) {
        if (rule_.facts.empty(i)) loss_.slope(static_cast<std::size_t>(row.b), z_.data(), &y_[i * outputs]);  // z = 0
      } else if (rule_.facts.empty(i)) {
        row.y = loss_.slope(row.b, 0);  // solved for good
      } else if (spec_.dual_step == DualStep::euclidean) {
        row.y = warm ? loss_.domain(row.b).clip(start.y[i]) : 0;
      } else {  // y = phi'(u): 0 at the start where it can be
        row.anchor = warm                                 ? dot(rows_.row(i), x.data()) + intercepts[0]
                     : std::is_same_v<LossType, Logistic> ? 0
                                                          : row.b;
        row.y = loss_.slope(row.b, row.anchor);
      }
    }
    std::vector<double> s, sums;
    sum_of_duals(s, sums);
    x_.set(x, s);
    if (bias_.present()) bias_.set(intercepts, sums);
  }

  // ---- steps ----

  void single_steps(std::size_t count) {
    constexpr std::size_t ahead = 4;
    const bool at_draws = rule_.changes_at_draws(), hears = rule_.hears_moves();
    order_.resize(std::min(rule_.sampler->block(), count));
    for (std::size_t left = count; left > 0;) {
      const std::span<std::uint32_t> order(order_.data(), std::min(order_.size(), left));
      rule_.sampler->fill(order);
      for (std::size_t k = 0; k < order.size(); ++k) {
        const std::uint32_t i = order[k];
        if (k + ahead < order.size()) {
          __builtin_prefetch(&row_[order[k + ahead]]);
          prefetch(rows_.row(order[k + ahead]));
        }
        if (at_draws) {
          const auto [sigma, weight] = rule_.at_draw(i);
          row_[i].q = 1 / sigma;
          row_[i].weight = weight;
        }
        step(i);
        if (hears) rule_.moved(i, size_of(dy_.data()));
      }
      left -= order.size();
    }
  }

  // One row, in the order of the head comment.
  void step(std::uint32_t i) {
    const auto a = rows_.row(i);
    const PrimalDualRow& row = row_[i];
    double* const z = z_.data();
    double* const dy = dy_.data();
    if constexpr (!primal) step_of_x(row.tau);
    score(a, z);
    move_dual(i, z, dy);
    if constexpr (primal) {
      add(a, row, dy, row.tau * (row.weight - row.share));  // s has its share of dy when x takes its step
      step_of_x(row.tau);
      theta_ = row.theta;
    } else {
      add(a, row, dy, row.tau * row.theta * row.weight);  // e, for the step to come
      last_ = i;
    }
    entries_ += 2 * a.size;
  }

  // Several rows at once: all scores at the same xbar, then one step of x.
  void batch_step() {
    const std::size_t outputs = outputs_.size();
    order_.resize(batch_);
    rule_.sampler->fill(order_);
    double tau = infinity, theta = 0, inverse_tau = 0, time = 0;
    for (std::size_t k = 0; k < batch_; ++k) {
      const PrimalDualRow& row = row_[order_[k]];
      score(rows_.row(order_[k]), &z_[k * outputs]);
      tau = std::min(tau, row.tau);
      theta = std::max(theta, row.theta);
      inverse_tau += 1 / row.tau;
      time += 1 / (1 - row.theta);
    }
    if (spec_.batch_norm == BatchNorm::mean) {  // 1/tau and 1/(1 - theta) are linear in the norm
      tau = static_cast<double>(batch_) / inverse_tau;
      theta = 1 - static_cast<double>(batch_) / time;
    }
    for (std::size_t k = 0; k < batch_; ++k) {
      const std::uint32_t i = order_[k];
      move_dual(i, &z_[k * outputs], &dy_[k * outputs]);
      add(rows_.row(i), row_[i], &dy_[k * outputs], tau * (row_[i].weight - row_[i].share));
      entries_ += 2 * rows_.row(i).size;
    }
    step_of_x(tau);
    theta_ = theta;
  }

  void score(typename RowStorage::Row a, double* z) {
    x_.score(a, theta_, z);
    if (bias_.present()) bias_.score(primal ? theta_ : 0, z);
  }

  void move_dual(std::uint32_t i, const double* z, double* dy) {
    PrimalDualRow& row = row_[i];
    if constexpr (blocks) {
      double* y = &y_[i * outputs_.size()];
      loss_.dual_step(static_cast<std::size_t>(row.b), z, y, row.q, dy);
      for (std::size_t k = 0; k < outputs_.size(); ++k) {
        const double next = dy[k];
        dy[k] -= y[k];
        y[k] = next;
      }
    } else {
      double next;
      if (spec_.dual_step == DualStep::euclidean) {
        next = loss_.dual_step(row.b, *z, row.y, row.q);
      } else {
        row.anchor = (row.q * row.anchor + *z) / (row.q + 1);
        next = loss_.slope(row.b, row.anchor);
      }
      *dy = next - row.y;
      row.y = next;
    }
  }

  // s += c dy a, and x -= by dy a: in place before the proximal step that it belongs to.
  void add(typename RowStorage::Row a, const PrimalDualRow& row, const double* dy, double by) {
    bool moves = false;
    for (std::size_t k = 0; k < outputs_.size(); ++k) {
      ds_[k] = row.share * dy[k];
      dx_[k] = -by * dy[k];
      moves |= dy[k] != 0;
    }
    if (!moves) return;
    x_.add(a, ds_.data(), dx_.data());
    if (bias_.present()) bias_.add(ds_.data(), dx_.data());
  }

  void step_of_x(double tau) {
    x_.step(tau);
    if (bias_.present()) bias_.step(tau);
  }

  double size_of(const double* block) const {
    if constexpr (!blocks) return std::abs(*block);
    double squares = 0;
    for (std::size_t k = 0; k < outputs_.size(); ++k) squares += block[k] * block[k];
    return std::sqrt(squares);
  }

  // ---- between passes ----

  bool needs_smoothing() const { return problem_.gamma() == 0; }
  double gamma() const { return loss_.gamma(); }

  void retune() {
    if constexpr (requires { loss_.curvature; })
      if (needs_smoothing()) loss_.curvature = smoothing_.g();
    load(rule_.steps(gamma()));
  }

  double smoothing_error() {
    const std::size_t outputs = outputs_.size();
    Point point;
    read(point);
    std::vector<double> z(row_.size() * outputs);
    multiply(problem_.data->rows, point.x.data(), z.data(), outputs);
    LossType posed = loss_;
    if constexpr (requires { posed.curvature; }) posed.curvature = 0;
    double error = 0;
    for (std::size_t i = 0; i < row_.size(); ++i) {
      double squares = 0, lower = 0;
      for (std::size_t k = 0; k < outputs; ++k) {
        z[i * outputs + k] += point.intercept[k];
        squares += point.y[i * outputs + k] * point.y[i * outputs + k];
      }
      if constexpr (blocks) {
        const auto b = static_cast<std::size_t>(row_[i].b);
        lower = posed.value(b, &z[i * outputs]) - loss_.value(b, &z[i * outputs]);
      } else {
        lower = posed.value(row_[i].b, z[i]) - loss_.value(row_[i].b, z[i]);
      }
      error += row_[i].share * (lower - 0.5 * smoothing_.g() * squares);
    }
    return error;
  }

  void load(const Steps& steps) {
    const auto at = [](const std::vector<double>& values, std::size_t i) { return values[values.size() == 1 ? 0 : i]; };
    for (std::uint32_t i : rule_.facts.drawable) {
      PrimalDualRow& row = row_[i];
      row.tau = at(steps.tau, i);
      row.theta = at(steps.theta, i);
      row.q = 1 / at(steps.sigma, i);
      row.weight = at(steps.weight, i);
    }
  }

  void y_of_rows(std::vector<double>& y) const {
    if constexpr (blocks) {
      y = y_;
    } else {
      y.resize(row_.size());
      for (std::size_t i = 0; i < row_.size(); ++i) y[i] = row_[i].y;
    }
  }

  void sum_of_duals(std::vector<double>& s, std::vector<double>& sums) const {  // sum c_i y_i a_i, and sum c_i y_i
    const std::size_t outputs = outputs_.size();
    std::vector<double> cy;
    y_of_rows(cy);
    sums.assign(outputs, 0.0);
    for (std::size_t i = 0; i < row_.size(); ++i)
      for (std::size_t k = 0; k < outputs; ++k) sums[k] += cy[i * outputs + k] *= row_[i].share;
    s.resize(problem_.d() * outputs);
    multiply_transposed(problem_.data->rows, cy.data(), s.data(), outputs);
  }

  void sum_again() {
    std::vector<double> s, sums;
    sum_of_duals(s, sums);
    x_.set_sum(s);
    if (bias_.present()) bias_.set_sum(sums);
    passes_since_sum_ = 0;
  }

  double primal_at_zero() const {  // sum c_i phi_i(0)
    double sum = 0;
    for (const PrimalDualRow& row : row_)
      if constexpr (blocks) sum += row.share * loss_.value(static_cast<std::size_t>(row.b), z_.data());
      else sum += row.share * loss_.value(row.b, 0);
    return sum;
  }

  static constexpr std::size_t none = static_cast<std::size_t>(-1);

  const Problem& problem_;
  RowStorage rows_;
  LossType loss_;
  PrimalDualSpec spec_;
  StepRule& rule_;
  std::size_t batch_;
  std::vector<PrimalDualRow> row_;
  Outputs outputs_;
  LazyPrimal<has_l1, primal, Outputs> x_;
  BiasCoordinate bias_;
  std::vector<double> y_;  // of block losses
  Smoothing smoothing_;
  double theta_ = 0;         // of the last step
  std::size_t last_ = none;  // the row whose e is in x already

  std::vector<double> z_, dy_, ds_, dx_;
  std::vector<std::uint32_t> order_;
  std::uint64_t draws_ = 0, entries_ = 0;
  int passes_since_sum_ = 0;
  double extra_passes_ = 0;
};

template <class RowStorage, class LossType>
std::unique_ptr<Solver> assemble(const Problem& problem, const RowStorage& rows, const LossType& loss,
                                 PrimalDualSpec spec, const Start& start) {
  const bool dual = spec.extrapolate == Extrapolate::dual;
  const auto make = [&]<bool has_l1, Extrapolate extrapolate>() -> std::unique_ptr<Solver> {
    return std::make_unique<PrimalDual<RowStorage, LossType, has_l1, extrapolate>>(problem, rows, loss, std::move(spec),
                                                                                   start);
  };
  if (problem.l1 > 0)
    return dual ? make.template operator()<true, Extrapolate::dual>()
                : make.template operator()<true, Extrapolate::primal>();
  return dual ? make.template operator()<false, Extrapolate::dual>()
              : make.template operator()<false, Extrapolate::primal>();
}

}  // namespace

std::unique_ptr<Solver> make_primal_dual(const Problem& problem, PrimalDualSpec spec, const Start& start) {
  return std::visit(
      [&](const auto& rows) {
        const auto with_loss = [&](const auto& loss) { return assemble(problem, rows, loss, std::move(spec), start); };
        return problem.block_loss ? std::visit(with_loss, *problem.block_loss) : std::visit(with_loss, problem.loss);
      },
      problem.data->rows);
}

}  // namespace seesaw
