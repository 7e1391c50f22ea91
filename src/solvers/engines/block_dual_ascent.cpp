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
#include "solvers/parts/dual/active_rows.h"
#include "solvers/parts/dual/block_extrapolation.h"
#include "solvers/parts/dual/block_face.h"
#include "solvers/parts/dual/block_rows.h"
#include "solvers/parts/dual/block_scan.h"
#include "solvers/parts/dual/free_intercept.h"

namespace seesaw {
namespace {

constexpr double many_at_corners = 0.2;  // of the rows: K scores per row make a scan cheap beside steps

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
        stride_(padded_classes(classes_)),
        y_(problem.n() * classes_),
        q_(problem.n()),
        w_(problem.d() * stride_),
        center_(stride_),
        sum_(stride_),
        z_(stride_),
        dy_(stride_),
        last_intercept_(classes_),
        rng_(options.seed),
        extrapolate_(options.extrapolate),
        shrink_(options.shrink && LossType::can_shrink),
        faces_(options.faces),
        active_(set_up_rows(start), shrink_ && options.draw == Draw::permutation, options.gap, many_at_corners) {
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
    RowSums sums;
    for (std::size_t at = 0; at < order.size(); ++at) {
      if (at + 4 < order.size()) prefetch(rows_.row(order[at + 4]));
      step(order[at], at, sums);
      if (stop.requested()) {  // w is consistent with y
        visited_ += at + 1;
        active_.visit_all();
        return;
      }
    }
    visited_ += order.size();
    if (!uniform_) active_.end_pass(sums, intercept_path());
    for (std::size_t k = 0; k < classes_; ++k) center_[k] = intercept(k);
    if constexpr (std::is_same_v<LossType, MulticlassHinge> && std::is_same_v<Shape, L2>)
      if (extrapolate_) {
        extrapolation_.end_pass(rows_, state(), intercepts(), entries_);
      }
    if constexpr (std::is_same_v<LossType, MulticlassHinge> && std::is_same_v<Shape, L2>)
      if (faces_) {
        const BlockFace::Reads reads = face_.end_pass(state(), intercepts(), q_, entries_, active_.remaining());
        visited_ += reads.rows;
        entries_ += reads.entries;
      }
    scan_if_due();
    if (entries_ > next_recompute_) recompute_w();
  }

  void read(Point& point) override {
    active_.on_read();
    point.y = y_;
    point.x.resize(problem_.d() * classes_);
    point.intercept.resize(classes_);
    for (std::size_t k = 0; k < classes_; ++k) point.intercept[k] = intercept(k);
    for (std::size_t j = 0; j < problem_.d(); ++j)
      for (std::size_t k = 0; k < classes_; ++k) point.x[j * classes_ + k] = x_of(j, w_[j * stride_ + k]);
  }

  Work work() const override {
    return {.passes = static_cast<double>(visited_) / static_cast<double>(problem_.n()),
            .entries = static_cast<double>(entries_),
            .estimated_gap = uniform_ ? std::nullopt : std::optional(active_.estimated_gap())};
  }
  void on_check(const Checked& checked) override { active_.on_check(checked); }
  Diagnostics diagnostics() const override {
    return {{{"active_rows", static_cast<double>(active_.active())},
             {"free_rows", face_.rows()},
             {"cg_iterations", face_.cg_steps()}}};
  }

  bool resumable() const override { return true; }
  void serialize(Archive& archive) override {
    archive.numbers("sdca", visited_, entries_, next_recompute_, path_);
    archive.object("random", rng_);
    archive.rows("y", y_, classes_);
    for (std::vector<double>* vector : {&w_, &center_, &sum_, &last_intercept_}) archive.array("w", *vector);
    active_.serialize(archive);
    margins_.serialize(archive);
    extrapolation_.serialize(archive);
    face_.serialize(archive);
    if (uniform_) archive.object("draws", uniform_->generator());
  }

 private:
  std::vector<std::uint32_t> set_up_rows(const Start& start) {
    const std::vector<double>& norms = problem_.squared_row_norms();
    inverse_kappa_b_ = squared_bias_entry(problem_, norms, lambda_, loss_.gamma()) / lambda_;
    if (!start.y.empty()) y_ = start.y;
    for (std::size_t i = 0; i < norms.size(); ++i) {
      q_[i] = problem_.normalized_weight[i] * (norms[i] / lambda_ + inverse_kappa_b_);
      if (q_[i] > 0) drawable_.push_back(static_cast<std::uint32_t>(i));
      else loss_.derivative(class_of(i), center_.data(), &y_[i * classes_]);  // an empty row: already optimal
    }
    return drawable_;
  }

  void step(std::uint32_t i, std::size_t position, RowSums& sums) {
    const auto a = rows_.row(i);
    double *z = z_.data(), *dy = dy_.data(), *y = &y_[i * classes_];
    const std::size_t b = class_of(i);
    const double c = problem_.normalized_weight[i];
    for (std::size_t k = 0; k < classes_; ++k) z[k] = intercept(k);
    entries_ += add_scores(a, z);  // z = a_i.x + b
    if constexpr (std::is_same_v<LossType, MulticlassHinge>) {
      const auto gradient = loss_.projected_gradient(b, z, y);
      if (!uniform_) {
        if (active_.skips(gradient.margin)) return;
        active_.keep(position);
        const double excess = gradient.violation > 0 ? loss_.excess(b, z, y, gradient.largest) : 0;
        sums.gap += c * excess;
        sums.primal += 0.5 * c * (gradient.largest - (z[b] - 1) - y[b] + excess);  // phi - <y, z>/2
        sums.violation = std::max(sums.violation, gradient.violation);
      }
      if (gradient.violation == 0) {
        sums.at_bound += gradient.used == 1;
        return;
      }
    } else if (!uniform_) {
      active_.keep(position);
    }
    loss_.dual_step(b, z, y, q_[i], dy);  // maximizes D over y_i
    if constexpr (std::is_same_v<LossType, MulticlassHinge>) sums.at_bound += corner_of(b, dy, classes_) >= 0;
    else if (!uniform_) add_smooth_terms(sums, i, position);
    double largest = 0;
    for (std::size_t k = 0; k < classes_; ++k) {
      const double moved = dy[k] - y[k];
      y[k] = dy[k];
      dy[k] = c / lambda_ * moved;
      sum_[k] += dy[k];  // (1/lambda) sum_i c_i y_i
      largest = std::max(largest, std::abs(dy[k]));
    }
    if (largest == 0) return;
    subtract_block(a, dy, stride_, w_.data());  // w = v / lambda
    entries_ += a.size;
  }

  // Softmax, whose terms in the gap are the divergences of p from the probabilities at z: with d = p - p' and the step to
  // p', which leaves z + q d - log p' the same in all classes, (1/2) of the variance of d_k (1/p'_k + q) to second order.
  // P from one row of sixteen.
  [[gnu::noinline]] void add_smooth_terms(RowSums& sums, std::size_t i, std::size_t position) {
    constexpr std::size_t sampled = 16;
    const std::size_t b = class_of(i);
    const double *y = &y_[i * classes_], *next = dy_.data(), c = problem_.normalized_weight[i];
    double mean = 0, square = 0;
    for (std::size_t k = 0; k < classes_; ++k) {
      const double p = std::max(k == b ? next[k] + 1 : next[k], 1e-16), e = (y[k] - next[k]) * (1 / p + q_[i]);
      mean += p * e;
      square += p * e * e;
    }
    sums.gap += 0.5 * c * std::max(0.0, square - mean * mean);
    if (position % sampled != 0) return;
    double product = 0;
    for (std::size_t k = 0; k < classes_; ++k) product += y[k] * z_[k];
    sums.primal += static_cast<double>(sampled) * c * (loss_.value(b, z_.data()) - 0.5 * product);
  }

  template <class Row>
  std::size_t add_scores(Row a, double* z) const {  // z += a.x, x = S(w, l1/lambda)
    if constexpr (std::is_same_v<Shape, L2>) {
      add_block_scores(a, w_.data(), stride_, z);
    } else {
      for_each(a, [&](std::size_t j, double value) {
        for (std::size_t k = 0; k < classes_; ++k) z[k] += value * x_of(j, w_[j * stride_ + k]);
      });
    }
    return a.size;
  }

  void scan_if_due() {
    if constexpr (std::is_same_v<LossType, MulticlassHinge>) {
      if (!active_.scan_is_due()) return;
      double squares = 0;
      for (std::size_t j = 0; j < problem_.d(); ++j)
        for (std::size_t k = 0; k < classes_; ++k) {
          const double x = x_of(j, w_[j * stride_ + k]);
          squares += x * x;
        }
      const double path = intercept_path();
      const RowSums sums = scan_blocks(
          state(), loss_, intercepts(), path, lambda_ / 2 * squares, active_.threshold(),
          [&](std::size_t i, double* z) { return add_scores(rows_.row(i), z); }, margins_, skipped_);
      entries_ += sums.entries;
      active_.end_scan(drawable_, skipped_, sums, path);
    }
  }

  // An upper bound on the sum of the changes of a margin by the intercepts since the start.
  double intercept_path() {
    double largest = 0;
    for (std::size_t k = 0; k < classes_; ++k) {
      largest = std::max(largest, std::abs(intercept(k) - last_intercept_[k]));
      last_intercept_[k] = intercept(k);
    }
    return path_ += 2 * largest;
  }

  BlockState state() { return {problem_, lambda_, lambda_ * inverse_kappa_b_, classes_, stride_, y_, w_, sum_}; }
  std::vector<double> intercepts() const {
    std::vector<double> b(classes_);
    for (std::size_t k = 0; k < classes_; ++k) b[k] = intercept(k);
    return b;
  }

  double x_of(std::size_t j, double w) const {
    if (problem_.penalty.uniform()) return soft_threshold(w, threshold_);
    return problem_.penalty.bounds(j).clip(soft_threshold(w, problem_.penalty.l1(j) / lambda_));
  }

  double intercept(std::size_t k) const { return center_[k] - inverse_kappa_b_ * lambda_ * sum_[k]; }
  std::size_t class_of(std::size_t i) const { return problem_.block().class_of_row[i]; }

  // Recomputes w from y, to remove accumulated rounding errors.
  void recompute_w() {
    std::vector<double> scaled(problem_.n() * stride_);
    const std::vector<double> b = intercepts();
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
  std::vector<double> last_intercept_;  // at the last call of intercept_path(), whose result is path_
  double path_ = 0;
  std::vector<std::uint32_t> drawable_, drawn_;
  Rng rng_;
  bool extrapolate_, shrink_, faces_;
  BlockExtrapolation extrapolation_;
  BlockFace face_;
  ActiveRows active_;
  ScoredMargins margins_;               // of scans
  std::vector<unsigned char> skipped_;  // by row in a scan
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
