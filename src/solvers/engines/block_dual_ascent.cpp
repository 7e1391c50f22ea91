#include "solvers/engines/block_dual_ascent.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <type_traits>

#include "base/archive.h"
#include "base/rng.h"
#include "base/stop.h"
#include "model/intercept.h"
#include "sampling/sampler.h"
#include "solvers/parts/common/work_per_step.h"
#include "solvers/parts/dual/block_extrapolation.h"
#include "solvers/parts/dual/free_intercept.h"
#include "solvers/parts/dual/shrinking.h"

namespace seesaw {
namespace {

constexpr std::size_t lanes = 4;  // blocks are padded to whole lanes, so that the loops over classes have no remainder

template <class RowStorage, class LossType, class Shape>
class BlockDualAscent final : public Solver {
 public:
  BlockDualAscent(const Problem& problem, const RowStorage& rows, const LossType& loss, const Shape& shape,
                  const BlockDualAscentOptions& options, const Start& start)
      : problem_(problem),
        rows_(rows),
        loss_(loss),
        lambda_(shape.lambda),
        threshold_(problem.penalty.l1() / shape.lambda),
        classes_(problem.outputs()),
        stride_((classes_ + lanes - 1) / lanes * lanes),
        y_(problem.n() * classes_),
        q_(problem.n()),
        w_(problem.d() * stride_),
        center_(stride_),
        sum_(stride_),
        z_(stride_),
        dy_(stride_),
        rng_(options.seed),
        extrapolate_(options.extrapolate),
        shrink_(options.shrink && LossType::can_shrink),
        active_(set_up_rows(start)) {
    if (problem.free_intercept()) {
      const std::vector<double> begin = start.y.empty() ? intercepts_alone(problem) : start.intercept;
      std::copy(begin.begin(), begin.end(), center_.begin());
    }
    if (options.draw == Draw::iid) {
      drawn_.resize(problem.n());
      uniform_.emplace(drawable_, rng_);
    }
    recompute_w();
  }

  void epoch() override {
    if (drawable_.empty()) {
      visited_ += problem_.n();  // no variables to move; the pass is counted
      return;
    }
    if (uniform_) uniform_->fill(drawn_);
    const std::span<std::uint32_t> order = uniform_ ? std::span(drawn_) : active_.next_pass(rng_);
    StopPoll stop(work_per_step(rows_, stride_));
    for (std::size_t at = 0; at < order.size(); ++at) {
      if (at + 4 < order.size()) prefetch(rows_.row(order[at + 4]));
      step(order[at], at);
      if (stop.requested()) {  // w is consistent with y
        visited_ += at + 1;
        active_.visit_all();
        return;
      }
    }
    visited_ += order.size();
    if (shrink_) active_.end_pass();
    for (std::size_t k = 0; k < classes_; ++k) center_[k] = intercept(k);
    if constexpr (std::is_same_v<LossType, MulticlassHinge> && std::is_same_v<Shape, L2>)
      if (extrapolate_) {
        for (std::size_t k = 0; k < classes_; ++k) z_[k] = intercept(k);
        extrapolation_.end_pass(rows_, {problem_, lambda_, lambda_ * inverse_kappa_b_, classes_, stride_, y_, w_, sum_},
                                z_, entries_);
      }
    if (entries_ > next_recompute_) recompute_w();
  }

  void read(Point& point) override {
    point.y = y_;
    point.x.resize(problem_.d() * classes_);
    point.intercept.resize(classes_);
    for (std::size_t k = 0; k < classes_; ++k) point.intercept[k] = intercept(k);
    for (std::size_t j = 0; j < problem_.d(); ++j)
      for (std::size_t k = 0; k < classes_; ++k) point.x[j * classes_ + k] = x_of(j, w_[j * stride_ + k]);
  }

  Work work() const override {
    return {static_cast<double>(visited_) / static_cast<double>(problem_.n()), static_cast<double>(entries_)};
  }
  Diagnostics diagnostics() const override { return {{{"active_rows", static_cast<double>(active_.active())}}}; }

  bool resumable() const override { return true; }
  void serialize(Archive& archive) override {
    archive.numbers("sdca", visited_, entries_, next_recompute_);
    archive.object("random", rng_);
    archive.rows("y", y_, classes_);
    for (std::vector<double>* vector : {&w_, &center_, &sum_}) archive.array("w", *vector);
    active_.serialize(archive);
    extrapolation_.serialize(archive);
    if (uniform_) archive.object("draws", uniform_->generator());
  }

 private:
  Shrinking set_up_rows(const Start& start) {
    const std::vector<double>& norms = problem_.squared_row_norms();
    inverse_kappa_b_ = squared_bias_entry(problem_, norms, lambda_, loss_.gamma()) / lambda_;
    if (!start.y.empty()) y_ = start.y;
    for (std::size_t i = 0; i < norms.size(); ++i) {
      q_[i] = problem_.normalized_weight[i] * (norms[i] / lambda_ + inverse_kappa_b_);
      if (q_[i] > 0) drawable_.push_back(static_cast<std::uint32_t>(i));
      else loss_.derivative(class_of(i), center_.data(), &y_[i * classes_]);  // an empty row: already optimal
    }
    return Shrinking(drawable_);
  }

  void step(std::uint32_t i, std::size_t position) {
    const auto a = rows_.row(i);
    double *z = z_.data(), *dy = dy_.data(), *y = &y_[i * classes_];
    for (std::size_t k = 0; k < classes_; ++k) z[k] = intercept(k);
    for_each(a, [&](std::size_t j, double value) { add_x(z, value, &w_[j * stride_]); });  // z = a_i.x + b
    entries_ += a.size;
    if constexpr (LossType::can_shrink)
      if (shrink_) {
        const auto gradient = loss_.projected_gradient(class_of(i), z, y);
        if (active_.shrinks(position, gradient.violation, gradient.margin)) return;
      }
    loss_.dual_step(class_of(i), z, y, q_[i], dy);  // maximizes D over y_i
    double largest = 0;
    for (std::size_t k = 0; k < classes_; ++k) {
      const double moved = dy[k] - y[k];
      y[k] = dy[k];
      dy[k] = problem_.normalized_weight[i] / lambda_ * moved;
      sum_[k] += dy[k];  // (1/lambda) sum_i c_i y_i
      largest = std::max(largest, std::abs(dy[k]));
    }
    if (largest == 0) return;
    for_each(a, [&](std::size_t j, double value) { add(&w_[j * stride_], -value, dy); });  // w = v / lambda
    entries_ += a.size;
  }

  void add(double* __restrict to, double scale, const double* __restrict block) const {
    for (std::size_t k = 0; k < stride_; k += lanes)
      for (std::size_t lane = 0; lane < lanes; ++lane) to[k + lane] += scale * block[k + lane];
  }
  void add_x(double* to, double scale, const double* w) const {  // x = S(w, l1/lambda)
    if constexpr (std::is_same_v<Shape, L2>) add(to, scale, w);
    else
      for (std::size_t k = 0; k < classes_; ++k)
        to[k] += scale * x_of(static_cast<std::size_t>(w - w_.data()) / stride_, w[k]);
  }

  double x_of(std::size_t j, double w) const {
    if (problem_.penalty.uniform()) return soft_threshold(w, threshold_);
    return problem_.penalty.bounds(j).clip(soft_threshold(w, problem_.penalty.l1(j) / lambda_));
  }

  double intercept(std::size_t k) const { return center_[k] - inverse_kappa_b_ * lambda_ * sum_[k]; }
  std::size_t class_of(std::size_t i) const { return problem_.block().class_of_row[i]; }

  // Recomputes w from y, to remove accumulated rounding errors.
  void recompute_w() {
    std::vector<double> scaled(problem_.n() * stride_), b(classes_);
    for (std::size_t k = 0; k < classes_; ++k) b[k] = intercept(k);
    std::fill(sum_.begin(), sum_.end(), 0.0);
    for (std::size_t i = 0; i < problem_.n(); ++i)
      for (std::size_t k = 0; k < classes_; ++k) {
        scaled[i * stride_ + k] = -problem_.normalized_weight[i] / lambda_ * y_[i * classes_ + k];
        sum_[k] -= scaled[i * stride_ + k];
      }
    for (std::size_t k = 0; k < classes_; ++k)  // keeps the intercepts unchanged
      center_[k] = b[k] + inverse_kappa_b_ * lambda_ * sum_[k];
    multiply_transposed(problem_.data->rows, scaled.data(), w_.data(), stride_);
    next_recompute_ = entries_ + 100 * rows_.entries();
  }

  const Problem& problem_;
  RowStorage rows_;
  LossType loss_;
  double lambda_, threshold_, inverse_kappa_b_ = 0;  // threshold: l1 / lambda
  std::size_t classes_, stride_;                     // K, and K in whole lanes
  std::vector<double> y_, q_, w_;
  std::vector<double> center_, sum_, z_, dy_;
  std::vector<std::uint32_t> drawable_, drawn_;
  Rng rng_;
  bool extrapolate_, shrink_;
  BlockExtrapolation extrapolation_;
  Shrinking active_;
  std::optional<UniformSampler> uniform_;
  std::uint64_t visited_ = 0, entries_ = 0, next_recompute_ = 0;
};

}  // namespace

std::unique_ptr<Solver> make_block_dual_ascent(const Problem& problem, const BlockDualAscentOptions& options,
                                               const Start& start) {
  return std::visit(
      [&]<class RowStorage, class LossType>(const RowStorage& rows, const LossType& loss) -> std::unique_ptr<Solver> {
        const auto make = [&]<class Shape>(const Shape& shape) -> std::unique_ptr<Solver> {
          return std::make_unique<BlockDualAscent<RowStorage, LossType, Shape>>(problem, rows, loss, shape, options,
                                                                                start);
        };
        // The elastic net's engine has the branch for penalties that differ by feature.
        if (!problem.penalty.uniform()) return make(ElasticNet{problem.penalty.l2(), problem.penalty.l1()});
        return with_strongly_convex_shape(problem.penalty, make);
      },
      problem.data->rows, problem.block().loss);
}

}  // namespace seesaw
