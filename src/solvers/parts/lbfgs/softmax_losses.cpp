#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

#include "base/archive.h"
#include "base/elementary.h"
#include "base/parallel.h"
#include "base/stop.h"
#include "base/tree_sum.h"
#include "solvers/parts/lbfgs/row_losses.h"

namespace seesaw {
namespace {

constexpr std::size_t grain = 256;  // rows per chunk, K numbers each
constexpr int max_rounds = 20;      // of Newton steps on the intercepts

class SoftmaxLosses final : public RowLosses {
 public:
  explicit SoftmaxLosses(const Problem& problem)
      : problem_(problem),
        loss_(std::get<Softmax>(problem.block().loss)),
        classes_(problem.outputs()),
        free_(problem.free_intercept()),
        z_(problem.n() * classes_),
        q_(z_.size()),
        p_(z_.size()),
        scratch_(z_.size()),
        b_(classes_) {}

  double begin(const Eigen::VectorXd& x, const std::vector<double>& intercepts) override {
    if ((x.array() == 0).all()) std::fill(z_.begin(), z_.end(), 0.0);
    else multiply(problem_.data->rows, x.data(), z_.data(), classes_);
    if (free_) b_ = intercepts;
    add_to_rows(b_, 1, z_);
    std::fill(q_.begin(), q_.end(), 0.0);
    beta_.assign(classes_, 0.0);
    value_ = at(0).value;
    if (free_) optimize_intercepts();
    return value_;
  }

  void set_direction(const Eigen::VectorXd& d) override {
    multiply(problem_.data->rows, d.data(), q_.data(), classes_);
    if (!free_) return;
    // 0 = sum_i c_i (diag(p_i) - p_i p_i^T)(q_i + beta), the derivative of sum_i c_i y_i = 0 along the line.
    Vector along(static_cast<Eigen::Index>(classes_));
    tree_sum(problem_.leaves(), classes_, along.data(), [&](std::size_t first, std::size_t last, double* part) {
      for (std::size_t i = first; i < last; ++i) {
        const double *p = &p_[i * classes_], *q = &q_[i * classes_];
        double mean = 0;
        for (std::size_t k = 0; k < classes_; ++k) mean += p[k] * q[k];
        for (std::size_t k = 0; k < classes_; ++k) part[k] += problem_.normalized_weight[i] * p[k] * (q[k] - mean);
      }
    });
    const Vector beta = -intercept_curvature().ldlt().solve(along);
    beta_.assign(classes_, 0.0);
    if (!beta.allFinite()) return;
    std::copy(beta.begin(), beta.end(), beta_.begin());
    add_to_rows(beta_, 1, q_);
  }

  At at(double t) override {
    last_ = evaluate([&](std::size_t i, std::size_t k) { return q_[i * classes_ + k]; }, t);
    return last_;
  }

  double move(double t) override {
    for_chunks([&](std::size_t first, std::size_t last) {
      for (std::size_t k = first * classes_; k < last * classes_; ++k) z_[k] += t * q_[k];
    });
    for (std::size_t k = 0; free_ && k < classes_; ++k) b_[k] += t * beta_[k];
    value_ = last_.value;
    if (free_) optimize_intercepts();
    return value_;
  }

  void gradient(Eigen::VectorXd& g) override {
    g.resize(static_cast<Eigen::Index>(problem_.d() * classes_));
    for_chunks([&](std::size_t first, std::size_t last) {
      for (std::size_t i = first; i < last; ++i)
        for (std::size_t k = 0; k < classes_; ++k)
          scratch_[i * classes_ + k] = problem_.normalized_weight[i] * (p_[i * classes_ + k] - (k == class_of(i)));
    });
    multiply_transposed(problem_.data->rows, scratch_.data(), g.data(), classes_);
  }

  void read(Point& point) override {
    point.intercept = b_;
    point.y.resize(z_.size());
    for_chunks([&](std::size_t first, std::size_t last) {
      for (std::size_t i = first; i < last; ++i)
        loss_.derivative(class_of(i), &z_[i * classes_], &point.y[i * classes_]);
    });
  }

  void serialize(Archive& archive) override {
    archive.numbers("losses", value_);
    archive.array("intercepts", b_);
    archive.rows("z", z_, classes_);
    archive.rows("probabilities", p_, classes_);
  }

 private:
  using Vector = Eigen::VectorXd;

  // The sum of losses along z + t q, and the probabilities p there.
  template <class Direction>
  At evaluate(const Direction& q, double t) {
    return tree_sum<At>(problem_.leaves(), [&](std::size_t first, std::size_t last) {
      At sum;
      for (std::size_t i = first; i < last; ++i) {
        double* p = &p_[i * classes_];
        const double* z = &z_[i * classes_];
        const std::size_t b = class_of(i);
        double largest = -infinity, others = 0, mean = 0, square = 0;
        for (std::size_t k = 0; k < classes_; ++k) largest = std::max(largest, p[k] = z[k] + t * q(i, k));
        const double own = p[b];
        for (std::size_t k = 0; k < classes_; ++k) {
          p[k] = exp_of(p[k] - largest);
          if (k != b) others += p[k];
        }
        const double total = others + p[b];
        for (std::size_t k = 0; k < classes_; ++k) {
          p[k] /= total;
          mean += p[k] * q(i, k);
        }
        for (std::size_t k = 0; k < classes_; ++k) square += p[k] * (q(i, k) - mean) * (q(i, k) - mean);
        const double c = problem_.normalized_weight[i];
        sum += {c * (own == largest ? log1p_of(others) : (largest - own) + log_of(total)), c * (mean - q(i, b)),
                c * square};
      }
      return sum;
    });
  }

  // sum_i c_i y_i of the intercepts.
  Vector intercept_derivative() const {
    Vector sum(static_cast<Eigen::Index>(classes_));
    tree_sum(problem_.leaves(), classes_, sum.data(), [&](std::size_t first, std::size_t last, double* part) {
      for (std::size_t i = first; i < last; ++i) {
        for (std::size_t k = 0; k < classes_; ++k) part[k] += problem_.normalized_weight[i] * p_[i * classes_ + k];
        part[class_of(i)] -= problem_.normalized_weight[i];
      }
    });
    return sum;
  }

  // sum_i c_i (diag(p_i) - p_i p_i^T). The same number added to all intercepts changes nothing: the mean of the diagonal
  // is added to all entries, which makes the matrix nonsingular and has no effect on intercepts that sum to 0.
  Eigen::MatrixXd intercept_curvature() const {
    const auto classes = static_cast<Eigen::Index>(classes_);
    Eigen::MatrixXd h(classes, classes);
    tree_sum(problem_.leaves().grouped(problem_.all_rows() / 1024), classes_ * classes_, h.data(),
             [&](std::size_t first, std::size_t last, double* part) {
               Eigen::Map<Eigen::MatrixXd> sum(part, classes, classes);
               for (std::size_t i = first; i < last; ++i) {
                 const Eigen::Map<const Vector> p(&p_[i * classes_], classes);
                 const double c = problem_.normalized_weight[i];
                 sum.diagonal() += c * p;
                 sum.noalias() -= c * p * p.transpose();
               }
             });
    h.array() += std::max(h.trace(), 1e-300) / static_cast<double>(classes_);
    return h;
  }

  // Newton steps, halved until the sum of losses decreases. Quadratic convergence: a move of 1e-8 leaves an error of
  // rounding.
  void optimize_intercepts() {
    for (int round = 0; round < max_rounds && !stop_requested(); ++round) {
      const Vector r = intercept_derivative();
      Vector db = -intercept_curvature().ldlt().solve(r);
      if (!db.allFinite()) return;
      const double size = db.lpNorm<Eigen::Infinity>();
      if (size == 0) return;
      db *= std::min(1.0, 1 / size);
      double t = 1;
      const auto along = [&](std::size_t, std::size_t k) { return db[static_cast<Eigen::Index>(k)]; };
      At at = evaluate(along, t);
      while (!(at.value <= value_ + 1e-15 * std::abs(value_)) && t > 1e-6) at = evaluate(along, t /= 2);
      if (!(t > 1e-6)) {  // limited by floating-point accuracy
        value_ = evaluate(along, 0).value;
        return;
      }
      std::vector<double> move(db.begin(), db.end());
      add_to_rows(move, t, z_);
      for (std::size_t k = 0; k < classes_; ++k) b_[k] += t * move[k];
      value_ = at.value;
      if (size <= 1e-8) return;
    }
  }

  void add_to_rows(const std::vector<double>& numbers, double t, std::vector<double>& rows) const {
    for_chunks([&](std::size_t first, std::size_t last) {
      for (std::size_t i = first; i < last; ++i)
        for (std::size_t k = 0; k < classes_; ++k) rows[i * classes_ + k] += t * numbers[k];
    });
  }

  template <class Body>
  void for_chunks(const Body& body) const {
    parallel_chunks(chunks_of(problem_.n(), grain),
                    [&](std::size_t, std::size_t first, std::size_t last) { body(first, last); });
  }

  std::size_t class_of(std::size_t i) const { return problem_.block().class_of_row[i]; }

  const Problem& problem_;
  Softmax loss_;
  std::size_t classes_;  // K
  bool free_;
  std::vector<double> z_, q_, p_;  // A x + b, A d + beta, and the probabilities of the last evaluation
  std::vector<double> scratch_;
  std::vector<double> b_, beta_;
  double value_ = 0;  // F
  At last_;
};

}  // namespace

std::unique_ptr<RowLosses> make_softmax_losses(const Problem& problem) {
  return std::make_unique<SoftmaxLosses>(problem);
}

}  // namespace seesaw
