#include "solvers/engines/block_newton.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

#include "base/archive.h"
#include "base/parallel.h"
#include "base/stop.h"
#include "base/tree_sum.h"
#include "solvers/parts/common/dual_sums.h"
#include "solvers/parts/newton/conjugate_gradient.h"

namespace seesaw {
namespace {

constexpr std::size_t grain = 256;  // rows per chunk, K numbers each
constexpr int max_cg_steps = 500;
constexpr int max_rounds = 20;  // of Newton steps on the intercepts

class BlockNewton final : public Solver {
 public:
  BlockNewton(const Problem& problem, const BlockNewtonSpec& spec, const Start& start)
      : problem_(problem),
        loss_(std::get<Softmax>(problem.block().loss)),
        classes_(problem.outputs()),
        penalized_(static_cast<Eigen::Index>(problem.d() * classes_)),
        hessian_(problem),
        preconditioner_(problem, spec.blocks),
        class_weight_(class_totals(problem)) {
    begin(start);
    if ((x_.array() == 0).all()) z_.assign(problem.n() * classes_, 0.0);
    else hessian_.scores(x_, z_);
    primal_ = primal_at(z_, x_.head(penalized_).squaredNorm());
    evaluate();
    first_gradient_norm_ = gradient_.norm();
  }

  void epoch() override {
    passes_ += 1;  // the product A p of the Newton step; evaluate() counts the gradient
    if (gradient_.norm() == 0) return;
    solve();
    if (stop_requested()) return;
    ++newton_steps_;
    hessian_.scores(step_, dz_);
    if (!search() || stop_requested()) return;  // read() needs x and z alone
    evaluate();
  }

  void read(Point& point) override {
    point.x.assign(x_.data(), x_.data() + penalized_);
    point.intercept.assign(classes_, 0.0);
    std::copy(x_.data() + penalized_, x_.data() + x_.size(), point.intercept.begin());
    derivatives(point.y);
  }

  Work work() const override { return {passes_, passes_ * static_cast<double>(problem_.data->nnz), estimated_gap()}; }

  Diagnostics diagnostics() const override {
    return {{{"newton_steps", newton_steps_}, {"cg_iterations", all_cg_steps_}, {"step_length", step_length_}}};
  }

  bool resumable() const override { return true; }
  void serialize(Archive& archive) override {
    archive.numbers("newton", primal_, gap_, imbalance_, first_gradient_norm_, target_, gap_divisor_, made_, cg_steps_,
                    newton_steps_, all_cg_steps_, step_length_, passes_);
    archive.array("x", x_);
    archive.array("gradient", gradient_);
    archive.rows("z", z_, classes_);
    hessian_.serialize(archive);
    preconditioner_.serialize(archive);
  }

  void on_check(const Checked& checked) override {
    if (estimated_gap() <= checked.target && checked.gap > checked.target) gap_divisor_ *= 0.1;
    target_ = checked.target;
  }

 private:
  double estimated_gap() const { return gap_ / gap_divisor_; }

  void begin(const Start& start) {
    std::vector<double> s, sums;
    if (!start.y.empty() && start.x.size() != problem_.d() * classes_) weighted_sums(problem_, start.y, s, sums);
    else s.resize(problem_.d() * classes_);
    const std::vector<double> x = starting_x(problem_, start, s), b = starting_intercepts(problem_, start);
    x_.resize(static_cast<Eigen::Index>(hessian_.unknowns()));
    std::copy(x.begin(), x.end(), x_.data());
    if (problem_.free_intercept()) std::copy(b.begin(), b.end(), x_.data() + penalized_);
    center_classes(x_.data(), static_cast<std::size_t>(x_.size()) / classes_, classes_);
  }

  // Computes y, p, gradient and gap at the current point, after optimizing its intercepts to the accuracy of the gap.
  void evaluate() {
    for (int round = 0;; ++round) {
      derivatives(y_);
      moved_ = y_;  // p = y + e_b
      for (std::size_t i = 0; i < problem_.n(); ++i) moved_[i * classes_ + class_of(i)] += 1;
      hessian_.move_to(moved_);
      if (round == max_rounds || stop_requested() || !improve_intercepts()) break;
    }
    hessian_.transposed(y_, gradient_);
    passes_ += 1;
    gradient_.head(penalized_) += problem_.penalty.l2() * x_.head(penalized_);
    gap_ = gradient_.head(penalized_).squaredNorm() / (2 * problem_.penalty.l2()) + imbalance_;
  }

  // A Newton step on the intercepts only; false if they are accurate enough or P cannot be decreased.
  bool improve_intercepts() {
    if (!problem_.free_intercept()) return false;
    const SoftmaxHessian::OfIntercepts alone = hessian_.of_intercepts(y_);
    const Eigen::VectorXd& r = alone.derivative;
    const auto b = x_.tail(r.size());
    imbalance_ = std::abs(b.dot(r));
    for (Eigen::Index k = 0; k < r.size(); ++k) imbalance_ += r[k] * r[k] / class_weight_[static_cast<std::size_t>(k)];
    if (imbalance_ <= std::max(0.01 * target_, 1e-15 * primal_)) return false;
    Eigen::VectorXd db = -alone.curvature.ldlt().solve(r);
    db *= std::min(1.0, 1 / db.lpNorm<Eigen::Infinity>());
    for (double t = 1; t > 1e-6; t /= 2)
      if (move_by(
              t, [&](std::size_t at) { return db[static_cast<Eigen::Index>(at % classes_)]; },
              x_.head(penalized_).squaredNorm(), primal_)) {
        x_.tail(r.size()) += t * db;
        return true;
      }
    return false;
  }

  void derivatives(std::vector<double>& y) const {
    y.resize(z_.size());
    parallel_chunks(chunks_of(problem_.n(), grain), [&](std::size_t, std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) loss_.derivative(class_of(i), &z_[i * classes_], &y[i * classes_]);
    });
  }

  // step_ = -H^-1 gradient, approximately.
  void solve() {
    if (cg_steps_ >= preconditioner_.cost_in_products() || !made_) {
      preconditioner_.make(hessian_);
      made_ = true;
      cg_steps_ = 0;
      passes_ += 1;
    }
    const double size = gradient_.norm(),
                 for_target = 0.25 * std::sqrt(2 * problem_.penalty.l2() * gap_divisor_ * target_);
    const double tolerance = std::max(std::min(0.25, std::sqrt(size / first_gradient_norm_)) * size, for_target);
    const auto product = [&](const Eigen::VectorXd& direction, Eigen::VectorXd& result) {
      hessian_.multiply(direction, result);
    };
    const auto precondition = [&](const Eigen::VectorXd& r, Eigen::VectorXd& result) {
      preconditioner_.solve(r, result);
    };
    const int steps = conjugate_gradient(gradient_, tolerance, max_cg_steps, product, precondition, step_).steps;
    cg_steps_ += steps;
    all_cg_steps_ += steps;
    passes_ += steps;
  }

  // Moves x and z along the step if P decreases; false if it does not, which happens at floating-point accuracy.
  bool search() {
    const double derivative = gradient_.dot(step_);
    const auto x = x_.head(penalized_), p = step_.head(penalized_);
    const double xx = x.squaredNorm(), xp = x.dot(p), pp = p.squaredNorm();
    for (double t = 1; t > 1e-10 && !stop_requested(); t /= 2)
      if (move_by(
              t, [&](std::size_t at) { return dz_[at]; }, xx + t * (2 * xp + t * pp),
              primal_ + 1e-4 * t * derivative)) {
        x_ += t * step_;
        step_length_ = t;
        return true;
      }
    return false;
  }

  // z += t dz if P is then at most `most` up to rounding. squared_norm: |x|^2 of the new x.
  template <class Move>
  bool move_by(double t, const Move& dz, double squared_norm, double most) {
    moved_.resize(z_.size());
    parallel_chunks(chunks_of(z_.size()), [&](std::size_t, std::size_t begin, std::size_t end) {
      for (std::size_t at = begin; at < end; ++at) moved_[at] = z_[at] + t * dz(at);
    });
    const double primal = primal_at(moved_, squared_norm);
    if (!(primal <= most + 1e-15 * primal_)) return false;
    z_.swap(moved_);
    primal_ = primal;
    return true;
  }

  double primal_at(const std::vector<double>& z, double squared_norm) const {
    const double losses = tree_sum<double>(problem_.leaves(), [&](std::size_t begin, std::size_t end) {
      double sum = 0;
      for (std::size_t i = begin; i < end; ++i)
        sum += problem_.normalized_weight[i] * loss_.value(class_of(i), &z[i * classes_]);
      return sum;
    });
    return losses + problem_.penalty.l2() / 2 * squared_norm;
  }

  std::size_t class_of(std::size_t i) const { return problem_.block().class_of_row[i]; }

  const Problem& problem_;
  Softmax loss_;
  std::size_t classes_;     // K
  Eigen::Index penalized_;  // d K: the unknowns without the intercepts
  SoftmaxHessian hessian_;
  ClassPreconditioner preconditioner_;
  std::vector<double> class_weight_;  // n_k
  Eigen::VectorXd x_;                 // x, then the free intercepts
  std::vector<double> z_;             // A x + b
  std::vector<double> dz_, moved_, y_;
  Eigen::VectorXd gradient_, step_;
  double primal_ = 0, gap_ = 0, imbalance_ = 0,
         first_gradient_norm_ = 0;       // imbalance: what the intercepts add to the gap
  double target_ = 0, gap_divisor_ = 1;  // the latter is reduced after a check that does not confirm the gap
  bool made_ = false;                    // the preconditioner
  double cg_steps_ = 0;                  // since it was made
  double newton_steps_ = 0, all_cg_steps_ = 0, step_length_ = 0;
  double passes_ = 0;
};

}  // namespace

std::unique_ptr<Solver> make_block_newton(const Problem& problem, const BlockNewtonSpec& spec, const Start& start) {
  return std::make_unique<BlockNewton>(problem, spec, start);
}

}  // namespace seesaw
