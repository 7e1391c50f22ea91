#include "solvers/engines/least_squares.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/archive.h"
#include "base/parallel.h"
#include "base/stop.h"
#include "base/tree_sum.h"
#include "solvers/engines/working_set_settings.h"
#include "solvers/follows_penalty.h"
#include "solvers/parts/common/dual_sums.h"
#include "solvers/parts/l1/l1_quadratic.h"
#include "solvers/parts/newton/cholesky.h"
#include "solvers/parts/newton/second_moments.h"

namespace seesaw {
namespace {

using working_set_settings::smallest_gap;
using working_set_settings::whole_fraction;

constexpr int most_rounds = 6;          // of an epoch
constexpr double more_accurate = 0.1;   // each round than the last one
constexpr double aimed_at = 1e-3;       // of the tolerance: a looser proof is not used (run/criteria.h: well_below)
constexpr double least_fall = 0.5;      // of the gap per round between these, and per epoch by rows: less is rounding
constexpr double least_entries = 0.01;  // of an epoch, relative to those of A: its passes increase

class LeastSquares final : public Solver, public FollowsPenalty {
 public:
  LeastSquares(const Problem& problem, std::unique_ptr<GramCertifier> certifier, const Start& start,
               MethodOfRows method_of_rows)
      : problem_(problem),
        certifier_(std::move(certifier)),
        method_of_rows_(std::move(method_of_rows)),
        curvature_(std::get<PiecewiseQuadratic>(problem.scalar().loss).curvature),
        free_(problem.free_intercept()),
        h_(certifier_->of_features()),
        target_(certifier_->of_target()) {
    if (free_) {
      of_ones_ = certifier_->of_ones();
      h_ -= of_ones_ * of_ones_.transpose();
      target_ -= certifier_->mean_target() * of_ones_;
    }
    h_ /= curvature_;
    target_ /= curvature_;
    entries_ = nnz();  // of the moments
    const std::vector<double> x = starting_point(problem, start);
    x_ = Eigen::Map<const Eigen::VectorXd>(x.data(), static_cast<Eigen::Index>(x.size()));
    evaluate();
  }

  void epoch() override {
    if (next_) return next_->epoch();
    const double before = entries_, before_gap = at_.gap;
    const bool refines = by_rows_;
    for (int round = 0; round < (by_rows_ ? 1 : most_rounds); ++round) {
      const double last = at_.gap;
      minimize();
      if (stop_requested()) {  // nothing is known of x
        at_.proof.reset();
        at_.gap = infinity;
        break;
      }
      evaluate();
      if (at_.gap <= aimed_at * own_target()) break;
      if (at_.gap <= own_target() && at_.gap > least_fall * last) break;
      accuracy_ *= more_accurate;
    }
    const bool missed = !(at_.gap <= own_target()) && !stop_requested();
    if (missed && !by_rows_) use_rows();
    entries_ = std::max(entries_, before + least_entries * nnz() + 1);
    ++epochs_;
    if (missed && refines && !(at_.gap <= least_fall * before_gap)) hand_over();
  }

  void penalty_changed() override {
    if (next_) return following().penalty_changed();
    factored_ = false;
    accuracy_ = 1;
    bound_gap();
    checked_ = {{.primal = at_.primal, .gap = at_.gap}, 0};
  }
  double primal() override { return next_ ? following().primal() : at_.primal; }

  void read(Point& point) override {
    if (next_) return next_->read(point);
    point.x.assign(x_.begin(), x_.end());
    point.intercept.assign(1, at_.b);
    if (by_rows_) {
      point.y = y_;
      for (double& yi : point.y) yi *= at_.scale;
    } else {
      const GramCertifier::ProvedPoint proved{point.x, at_.b, at_.proof ? at_.proof->scale : at_.scale};
      point.y = std::move(certifier_->dual_points({&proved, 1})[0]);
    }
  }
  std::optional<double> primal_at_zero() const override { return certifier_->squared_target() / (2 * curvature_); }
  std::optional<PointProof> proof() const override { return next_ ? next_->proof() : at_.proof; }

  Work work() const override {
    if (!next_) return {entries_ / (2 * nnz()), entries_, safety() * at_.gap};
    Work work = next_->work();
    work.passes += entries_ / (2 * nnz());
    work.entries += entries_;
    return work;
  }
  Diagnostics diagnostics() const override {
    return next_ ? next_->diagnostics() : Diagnostics{{{"newton_steps", epochs_}}};
  }

  void on_check(const Checked& checked) override {
    if (next_) return next_->on_check(checked);
    const bool refuted = safety() * at_.gap <= checked.target && checked.gap > checked.target;
    checked_ = checked;
    if (!refuted) return;
    if (by_rows_) return hand_over();
    use_rows();
    at_.gap = std::max(at_.gap, checked.gap);
  }

  bool resumable() const override { return !next_ || next_->resumable(); }
  void serialize(Archive& archive) override {
    double entries = entries_;
    bool handed_over = next_ != nullptr;
    archive.array("x", x_);
    archive.numbers("least_squares", by_rows_, accuracy_, checked_.primal, checked_.dual, checked_.gap, checked_.target,
                    entries, epochs_, handed_over);
    if (!archive.saving()) evaluate();
    entries_ = entries;
    archive.numbers("gap", at_.gap);  // that of a check may be larger
    if (!handed_over) return;
    if (!next_) next_ = method_of_rows_();  // its state follows
    next_->serialize(archive);
  }

 private:
  // What is known of the point x_.
  struct At {
    double b = 0;                     // the best intercept
    Eigen::VectorXd v;                // -A^T C y, y = r/k
    double residual = 0, primal = 0;  // |r|_c^2 and P
    double gap = infinity, scale = 1;
    std::optional<PointProof> proof;
  };

  double nnz() const { return std::max(1.0, static_cast<double>(problem_.data->nnz)); }
  // The target is usually relative to the P of the last check, and P has decreased since.
  double safety() const {
    return at_.primal > 0 && checked_.primal > 0 ? std::max(1.0, checked_.primal / at_.primal) : 1.0;
  }
  double own_target() const { return checked_.target / safety(); }
  FollowsPenalty& following() { return dynamic_cast<FollowsPenalty&>(*next_); }

  void minimize() {
    const double l1 = problem_.penalty.l1(), l2 = problem_.penalty.l2();
    if (l1 == 0) {
      if (!std::exchange(factored_, true)) {
        Eigen::MatrixXd regularized = h_;
        regularized.diagonal().array() += l2;
        factor_.factor(regularized);
        if (stop_requested()) factored_ = false;
      }
      if (factor_.ready()) x_ += factor_.solve(at_.v - l2 * x_);
      return;
    }
    // A violation of the optimality conditions adds |x|_1 times that to the gap, and scales y by l1/|v_j|.
    const double relative = at_.primal > 0 ? own_target() / at_.primal : 0;
    descent_.minimize(h_, -at_.v, {l2, l1}, accuracy_ * whole_fraction * std::clamp(relative, smallest_gap, 1.0) * l1,
                      x_);
  }

  void hand_over() {
    next_ = method_of_rows_();
    next_->on_check(checked_);
  }

  void use_rows() {
    by_rows_ = true;
    accuracy_ = 1;
    evaluate();
  }

  void evaluate() {
    if (by_rows_) evaluate_by_rows();
    else evaluate_by_moments();
    bound_gap();
  }
  void evaluate_by_moments() {
    at_.b = free_ ? certifier_->mean_target() - of_ones_.dot(x_) : 0;
    at_.v = target_;
    for (Eigen::Index j = 0; j < x_.size(); ++j)
      if (x_[j] != 0) at_.v -= x_[j] * h_.col(j);
    Eigen::VectorXd w(certifier_->matrix().rows());  // r = (A, 1, t) w
    w.head(x_.size()) = x_;
    if (free_) w[x_.size()] = at_.b;
    w[w.size() - 1] = -1;
    at_.residual = std::max(0.0, w.dot(certifier_->matrix() * w));
  }
  void evaluate_by_rows() {
    const std::size_t n = problem_.n();
    const double *const t = problem_.scalar().target.data(), *const c = problem_.normalized_weight.data();
    y_.resize(n);
    multiply(problem_.data->rows, x_.data(), y_.data());
    for_rows([&](std::size_t i) { y_[i] -= t[i]; });
    at_.b = free_ ? -product_over(problem_.leaves(), problem_.normalized_weight, y_) : 0;
    std::vector<double> cy(n);
    for_rows([&](std::size_t i) {
      y_[i] = (y_[i] + at_.b) / curvature_;
      cy[i] = -c[i] * y_[i];
    });
    at_.v.resize(x_.size());
    multiply_transposed(problem_.data->rows, cy.data(), at_.v.data());
    at_.residual = -curvature_ * curvature_ * product_over(problem_.leaves(), cy, y_);
    entries_ += 2 * nnz();
  }
  template <class Body>
  void for_rows(const Body& body) {
    parallel_chunks(chunks_of(problem_.n(), 8192), [&](std::size_t, std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) body(i);
    });
  }

  // P and the gap: with s = 1, or for l1 alone the largest s <= 1 that brings y into its domain,
  //     gap = (1 - s)^2 |r|^2/(2k) + sum_j g(x_j) + g*(s v_j) - s v_j x_j
  void bound_gap() {
    const double l1 = problem_.penalty.l1(), l2 = problem_.penalty.l2();
    const double largest = at_.v.size() > 0 ? at_.v.lpNorm<Eigen::Infinity>() : 0;
    at_.scale = l2 == 0 && largest > l1 ? l1 / largest : 1;
    double of_features = 0, penalty = 0;
    for (Eigen::Index j = 0; j < x_.size(); ++j) {
      const double v = at_.scale * at_.v[j], x = x_[j], g = l1 * std::abs(x) + 0.5 * l2 * x * x;
      const double beyond = l2 > 0 ? std::max(0.0, std::abs(v) - l1) : 0;
      of_features += std::max(0.0, g - v * x + (beyond > 0 ? beyond * beyond / (2 * l2) : 0));
      penalty += g;
    }
    const double loss = at_.residual / (2 * curvature_), less = 1 - at_.scale;
    at_.primal = loss + penalty;
    at_.gap = less * less * loss + of_features;
    at_.proof.reset();
    if (by_rows_) return;
    at_.proof = certifier_->certify({x_.begin(), x_.end()}, at_.b);
    at_.gap = at_.proof ? at_.proof->certificate.gap : infinity;
  }

  const Problem& problem_;
  std::unique_ptr<GramCertifier> certifier_;
  MethodOfRows method_of_rows_;
  double curvature_;  // k
  bool free_;
  Eigen::MatrixXd h_;                 // H, less the part of the mean with a free intercept
  Eigen::VectorXd target_, of_ones_;  // A^T C t / k alike; A^T C 1
  L1Quadratic descent_;
  Cholesky factor_;  // of H + l2 I
  bool factored_ = false;

  Eigen::VectorXd x_;
  At at_;
  std::vector<double> y_;  // by rows: not scaled
  bool by_rows_ = false;
  double accuracy_ = 1;                // factor of the tolerance of a minimization
  Checked checked_{{.primal = 0}, 0};  // the last check
  double entries_ = 0, epochs_ = 0;
  std::unique_ptr<Solver> next_;  // that has taken over
};

}  // namespace

std::unique_ptr<Solver> make_least_squares(const Problem& problem, const Start& start, MethodOfRows method_of_rows) {
  if (!worth_second_moments(problem, working_set_settings::products_of_fit)) return nullptr;
  const SecondMoments moments = second_moments(problem);
  if (stop_requested()) return nullptr;  // they are incomplete
  auto certifier = GramCertifier::make(problem, moments);
  if (!certifier) return nullptr;
  return std::make_unique<LeastSquares>(problem, std::move(certifier), start, std::move(method_of_rows));
}

}  // namespace seesaw
