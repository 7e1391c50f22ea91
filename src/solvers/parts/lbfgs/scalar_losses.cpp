#include <algorithm>
#include <cmath>

#include "base/archive.h"
#include "base/parallel.h"
#include "base/stop.h"
#include "base/tree_sum.h"
#include "model/intercept.h"
#include "solvers/parts/lbfgs/row_losses.h"

namespace seesaw {
namespace {

constexpr int max_rounds = 20;  // of Newton steps on the intercept

class ScalarLosses final : public RowLosses {
 public:
  explicit ScalarLosses(const Problem& problem)
      : problem_(problem),
        curve_(problem.scalar().loss, problem.scalar().target, problem.normalized_weight, problem.leaves()),
        free_(problem.free_intercept()),
        z_(problem.n()),
        q_(problem.n()),
        derivative_(problem.n()),
        curvature_(problem.n()) {
    if (free_) ones_.assign(problem.n(), 1.0);
  }

  double begin(const Eigen::VectorXd& x, const std::vector<double>& intercepts) override {
    b_ = free_ ? intercepts[0] : 0;
    if ((x.array() == 0).all()) std::fill(z_.begin(), z_.end(), 0.0);
    else multiply(problem_.data->rows, x.data(), z_.data());
    if (b_ != 0)
      for (double& z : z_) z += b_;
    std::fill(q_.begin(), q_.end(), 0.0);
    value_ = at(0).value;
    if (free_) optimize_intercept();
    return value_;
  }

  void set_direction(const Eigen::VectorXd& d) override {
    multiply(problem_.data->rows, d.data(), q_.data());
    beta_ = 0;
    if (!free_) return;
    // 0 = sum_i c_i phi_i'' (q_i + beta), the derivative of sum_i c_i phi_i' = 0 along the line.
    const Sums sums = sum_over_rows([&](std::size_t i) { return curvature_[i] * q_[i]; });
    if (!(sums.curvature > 0)) return;
    beta_ = -sums.of_terms / sums.curvature;
    for (double& q : q_) q += beta_;
  }

  At at(double t) override {
    last_ = curve_.evaluate(z_, q_, t, derivative_, curvature_);
    return last_;
  }

  double move(double t) override {
    parallel_chunks(chunks_of(z_.size(), 8192), [&](std::size_t, std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) z_[i] += t * q_[i];
    });
    b_ += t * beta_;
    value_ = last_.value;
    if (free_) optimize_intercept();
    return value_;
  }

  void gradient(Eigen::VectorXd& g) override {
    g.resize(static_cast<Eigen::Index>(problem_.d()));
    multiply_transposed(problem_.data->rows, derivative_.data(), g.data());
  }

  void read(Point& point) override {
    point.intercept.assign(1, b_);
    point.y.resize(problem_.n());
    for (std::size_t i = 0; i < point.y.size(); ++i) point.y[i] = derivative_[i] / problem_.normalized_weight[i];
  }

  void serialize(Archive& archive) override {
    archive.numbers("losses", b_, value_);
    archive.rows("z", z_);
    archive.rows("derivative", derivative_);
    archive.rows("curvature", curvature_);
  }

 private:
  struct Sums {
    double curvature = 0, of_terms = 0;
    Sums& operator+=(const Sums& other) {
      curvature += other.curvature;
      of_terms += other.of_terms;
      return *this;
    }
  };
  template <class Term>
  Sums sum_over_rows(const Term& term) const {  // in four lanes
    return tree_sum<Sums>(problem_.leaves(), [&](std::size_t begin, std::size_t end) {
      Sums lanes[4];
      for (std::size_t i = begin; i < end; ++i) lanes[(i - begin) % 4] += {curvature_[i], term(i)};
      for (int lane = 1; lane < 4; ++lane) lanes[0] += lanes[lane];
      return lanes[0];
    });
  }

  // Newton steps on b. Converges quadratically: a move of 1e-8 leaves an error of rounding. Where the curvature fails, by
  // the safeguarded method of model/intercept.h.
  void optimize_intercept() {
    const Sums sums = sum_over_rows([&](std::size_t i) { return derivative_[i]; });
    At now{value_, sums.of_terms, sums.curvature};
    for (int round = 0; round < max_rounds && !stop_requested(); ++round) {
      if (now.derivative == 0) break;
      double move = -now.derivative / now.curvature;
      const bool small = std::abs(move) <= 1e-8 * (1 + std::abs(b_));
      At next = std::isfinite(move) ? curve_.evaluate(z_, ones_, move, derivative_, curvature_) : At{};
      if (!std::isfinite(move) || (!small && !(std::abs(next.derivative) < 0.5 * std::abs(now.derivative)))) {
        move = best_intercept(problem_, z_, 0, 0);
        next = curve_.evaluate(z_, ones_, move, derivative_, curvature_);
        round = max_rounds;
      }
      for (double& z : z_) z += move;
      b_ += move;
      now = next;
      if (small) break;
    }
    value_ = now.value;
  }

  const Problem& problem_;
  LossCurve curve_;
  bool free_;
  double b_ = 0, beta_ = 0, value_ = 0;  // b, its derivative along the line, F
  At last_;
  std::vector<double> z_, q_;                   // A x + b, A d + beta
  std::vector<double> derivative_, curvature_;  // c_i phi_i', c_i phi_i'' of the last evaluation
  std::vector<double> ones_;
};

}  // namespace

std::unique_ptr<RowLosses> make_scalar_losses(const Problem& problem) {
  return std::make_unique<ScalarLosses>(problem);
}

}  // namespace seesaw
