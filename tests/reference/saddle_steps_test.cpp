// The block steps of spdc, adaspdc, spdhg and sdca (solvers/saddle) against slow versions: dense matrices, extended precision,
// every step on all of x, projections by bisection. In the letters of the papers, whose problems have no weights: with
// c_i = w_i/n, Zhu & Storkey's blocks are sqrt(w_i) A_i and sqrt(w_i) y_i; Chambolle et al.'s are K_i = c_i A_i^T and
// f_i* = c_i phi_i*.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <memory>

#include "base/rng.h"
#include "solvers/saddle/iteration.h"

namespace seesaw::saddle {
namespace saddle_steps_test {

using Real = long double;
using Matrix = Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic>;
using Vector = Eigen::Matrix<Real, Eigen::Dynamic, 1>;

enum class Kind { squared, norm, hinge };
constexpr Real scale = 1.5;         // of the norm
constexpr double half_squared = 2;  // phi = half_squared/2 |z - t|^2, gamma = 1/half_squared

// half_squared times SquaredDistance: gamma = 1/2.
class ScaledSquares final : public BlockFunction {
 public:
  explicit ScaledSquares(std::vector<double> target) : target_(std::move(target)) {}
  void dual_step(std::span<const double> z, std::span<const double> y0, double q, std::span<double> y) const override {
    for (std::size_t k = 0; k < y.size(); ++k) y[k] = (z[k] - target_[k] + q * y0[k]) / (1 / half_squared + q);
  }
  double strong_convexity() const override { return 1 / half_squared; }

 private:
  std::vector<double> target_;
};

struct Block {
  Matrix A;  // q x d, a row per score
  Vector t;  // targets, or signs
  Kind kind;
  Real weight;
};

struct Setting {
  Kind kind;
  bool mixed;
  double lambda, l1, perturb_primal, perturb_dual;
};

struct Case {
  std::vector<Block> blocks;
  Real lambda, l1, e;  // lambda with the perturbation of the primal; e: the perturbation of the dual
  Real gamma = 1e30L;
  std::unique_ptr<Problem> problem;

  explicit Case(const Setting& of)
      : lambda(static_cast<Real>(of.lambda) + of.perturb_primal), l1(of.l1), e(of.perturb_dual) {
    constexpr std::uint32_t d = 4;
    Rng rng(17);
    problem = std::make_unique<Problem>(d, std::make_shared<Quadratic>(of.lambda, std::vector<double>(), of.l1));
    for (std::uint32_t i = 0; i < 6; ++i) {
      const Kind kind = of.mixed ? static_cast<Kind>(i % 3) : of.kind;
      const std::uint32_t q = i == 5 ? 7 : i + 1;  // more rows than columns too
      Block block{Matrix(q, d), Vector(q), kind, 0};
      std::vector<ScoreRow> rows(q);
      std::vector<double> t;
      for (std::uint32_t k = 0; k < q; ++k) {
        for (std::uint32_t j = 0; j < d; ++j) {
          rows[k].columns.push_back(j);
          rows[k].values.push_back((1 + i) * rng.normal());
          block.A(k, j) = rows[k].values.back();
        }
        t.push_back(kind == Kind::hinge ? (rng.normal() > 0 ? 1 : -1) : 3 * rng.normal());
        block.t[k] = t.back();
      }
      const double weight = 0.05 + 0.2 * rng.uniform();
      block.weight = weight;
      std::shared_ptr<const BlockFunction> phi;
      if (kind == Kind::squared) phi = std::make_shared<ScaledSquares>(t);
      else if (kind == Kind::norm) phi = std::make_shared<Norm>(static_cast<double>(scale), t);
      else phi = std::make_shared<LargestHinge>(t);
      problem->add(rows, phi, weight);
      gamma = std::min(gamma, (kind == Kind::squared ? 1 / static_cast<Real>(half_squared) : 0) + e);
      blocks.push_back(std::move(block));
    }
  }
};

// argmax_y <z, y> - phi*(y) - (e/2)|y|^2 - |y - y0|^2/(2 sigma)
Vector dual_step(const Block& block, const Vector& z, const Vector& y0, Real sigma, Real e) {
  const Real q = 1 / sigma;
  if (block.kind == Kind::squared) return (z - block.t + q * y0) / (1 / static_cast<Real>(half_squared) + e + q);
  if (block.kind == Kind::norm) {
    const Vector free = (z - block.t + q * y0) / (q + e);
    return free.norm() <= scale ? free : Vector(scale / free.norm() * free);
  }
  // p = -b y: argmax sum p (1 - b z) - ..., p_k = max(0, u_k - nu), where nu >= 0 is 0 or such that the sum is 1
  const Vector u = (Vector::Ones(z.size()) - block.t.cwiseProduct(z) - q * block.t.cwiseProduct(y0)) / (q + e);
  const auto at = [&](Real nu) { return Vector((u.array() - nu).max(Real(0)).matrix()); };
  Real low = 0, high = std::max(Real(0), u.maxCoeff());
  if (at(0).sum() > 1)
    for (int round = 0; round < 200; ++round) (at((low + high) / 2).sum() > 1 ? low : high) = (low + high) / 2;
  return -block.t.cwiseProduct(at(at(0).sum() > 1 ? high : 0));
}

class Twin {
 public:
  Twin(const Case& of, Method method) : of_(of), method_(method), rng_(3) {
    for (const Block& block : of.blocks) {
      const Eigen::SelfAdjointEigenSolver<Matrix> solver(block.A.transpose() * block.A);
      norm_.push_back(std::sqrt(solver.eigenvalues().maxCoeff()));
      y.push_back(Vector::Zero(block.t.size()));
      order_.push_back(static_cast<std::uint32_t>(order_.size()));
    }
    n_ = static_cast<Real>(norm_.size());
    if (method == Method::spdhg) set_probabilities();
  }

  void pass() {
    if (method_ == Method::sdca) ascent();
    else if (method_ == Method::spdhg) spdhg();
    else spdc();
  }

 private:
  Real K(std::size_t i) const { return of_.blocks[i].weight * norm_[i]; }    // |K_i|
  Real mu(std::size_t i) const { return of_.blocks[i].weight * of_.gamma; }  // of f_i*
  Vector sum() const {                                                       // K^T y
    Vector s = Vector::Zero(x.size());
    for (std::size_t i = 0; i < y.size(); ++i) s += of_.blocks[i].weight * of_.blocks[i].A.transpose() * y[i];
    return s;
  }
  Vector threshold(const Vector& v, Real by) const {
    return v.unaryExpr([by](Real t) { return t > by ? t - by : t < -by ? t + by : Real(0); });
  }
  void primal_step(Real tau, const Vector& gradient) {
    x = threshold(x - tau * gradient, tau * of_.l1) / (1 + tau * of_.lambda);
  }

  // Zhu & Storkey, (9) to (13), on the blocks B_i = sqrt(w_i) A_i and u_i = sqrt(w_i) y_i with c_i = 1/n.
  void spdc() {
    rng_.shuffle(std::span(order_));
    for (const std::uint32_t i : order_) {
      const Real root = std::sqrt(n_ * of_.blocks[i].weight);
      Real R = root * norm_[i];
      if (method_ == Method::spdc)
        for (std::size_t k = 0; k < norm_.size(); ++k) R = std::max(R, std::sqrt(n_ * of_.blocks[k].weight) * norm_[k]);
      const Real tau = std::sqrt(of_.gamma / (n_ * of_.lambda)) / (2 * R);
      const Real sigma = std::sqrt(n_ * of_.lambda / of_.gamma) / (2 * R);
      const Real theta = 1 - 1 / (n_ + R * std::sqrt(n_ / (of_.lambda * of_.gamma)));
      const Vector s = sum();
      // argmax <B x, u> - w phi*(u/sqrt(w)) - |u - u0|^2/(2 sigma): y has the step sigma
      const Vector next = dual_step(of_.blocks[i], of_.blocks[i].A * bar_, y[i], sigma, of_.e);
      const Vector du = root * (next - y[i]);
      const Vector before = x;
      primal_step(tau, s + root * of_.blocks[i].A.transpose() * du);
      y[i] = next;
      bar_ = x + theta * (x - before);
    }
  }

  // w_i from |K_i|^2/(k lambda mu_i); p_i = w_i/W
  void set_probabilities() {
    Real W = 0;
    for (std::size_t i = 0; i < norm_.size(); ++i) {
      p_.push_back((1 + std::sqrt(1 + K(i) * K(i) / (k_ * of_.lambda * mu(i)))) / 2);
      W += p_.back();
    }
    for (Real& p : p_) p /= W;
    tau_ = 1 / (2 * of_.lambda * (W - 1));
    theta_ = 1 - 1 / W;
  }

  // Chambolle et al. 2018, Algorithm 1: tau sigma_i |K_i|^2 = k p_i
  void spdhg() {
    for (std::size_t step = 0; step < y.size(); ++step) {
      primal_step(tau_, sum() + bar_);
      Real drawn = rng_.uniform();
      std::size_t i = 0;
      while (i + 1 < p_.size() && drawn >= p_[i]) drawn -= p_[i++];
      const Block& block = of_.blocks[i];
      const Real sigma = k_ * p_[i] / (tau_ * K(i) * K(i));
      // argmax <K x, y> - c phi*(y) - |y - y0|^2/(2 sigma): of phi* alone the step is c sigma
      const Vector next = dual_step(block, block.A * x, y[i], block.weight * sigma, of_.e);
      bar_ = theta_ / p_[i] * block.weight * block.A.transpose() * (next - y[i]);
      y[i] = next;
    }
  }

  // x = grad g*(-s), then the best y_i for the bound D(y + dy) >= ... - c_i^2 |A_i|^2 |dy|^2/(2 lambda)
  void ascent() {
    rng_.shuffle(std::span(order_));
    for (const std::uint32_t i : order_) {
      x = threshold(-sum(), of_.l1) / of_.lambda;
      const Block& block = of_.blocks[i];
      y[i] = dual_step(block, block.A * x, y[i], of_.lambda / (block.weight * norm_[i] * norm_[i]), of_.e);
    }
    x = threshold(-sum(), of_.l1) / of_.lambda;
  }

  const Case& of_;
  Method method_;
  Rng rng_;
  std::vector<Real> norm_, p_;
  std::vector<std::uint32_t> order_;
  Real n_ = 0, tau_ = 0, theta_ = 0;
  static constexpr Real k_ = 0.98L;
  Vector bar_ = Vector::Zero(4);  // the extrapolated x, or what spdhg adds to s

 public:
  Vector x = Vector::Zero(4);
  std::vector<Vector> y;
};

void expect_same(const Setting& setting, Method method) {
  const Case of(setting);
  Iteration iteration(
      *of.problem,
      {.method = method, .seed = 3, .perturb_primal = setting.perturb_primal, .perturb_dual = setting.perturb_dual});
  Twin twin(of, method);
  double moved = 0;
  for (int pass = 1; pass <= 8; ++pass) {
    iteration.pass();
    twin.pass();
    for (std::size_t j = 0; j < 4; ++j) {
      ASSERT_NEAR(iteration.x()[j], static_cast<double>(twin.x[static_cast<Eigen::Index>(j)]), 1e-12)
          << name_of(method) << " pass " << pass;
      moved = std::max(moved, std::abs(iteration.x()[j]));
    }
    std::size_t at = 0;
    for (const Vector& block : twin.y)
      for (const Real value : block)
        ASSERT_NEAR(iteration.y()[at++], static_cast<double>(value), 1e-12) << name_of(method) << " pass " << pass;
  }
  EXPECT_GT(moved, 1e-2);
}

// The conjugates of norm and hinge are not strongly convex: gamma is the perturbation.
constexpr Setting settings[] = {{Kind::squared, false, 0.3, 0, 0, 0},    {Kind::squared, false, 0.3, 0.02, 0, 0.25},
                                {Kind::norm, false, 0.3, 0, 0, 0.2},     {Kind::norm, false, 0.1, 0.02, 0, 0.05},
                                {Kind::hinge, false, 0.3, 0, 0, 0.2},    {Kind::hinge, false, 0.1, 0.02, 0, 0.05},
                                {Kind::squared, true, 0.2, 0.01, 0, 0.1}};

TEST(SaddleSteps, of_spdc_and_adaspdc_are_those_of_the_slow_version) {
  for (const Setting& setting : settings)
    for (const double primal : {0.0, 0.15})
      for (const Method method : {Method::spdc, Method::adaspdc}) {
        Setting perturbed = setting;
        perturbed.perturb_primal = primal;
        expect_same(perturbed, method);
      }
}

TEST(SaddleSteps, of_spdhg_are_those_of_the_slow_version) {
  for (const Setting& setting : settings)
    for (const double primal : {0.0, 0.15}) {
      Setting perturbed = setting;
      perturbed.perturb_primal = primal;
      expect_same(perturbed, Method::spdhg);
    }
}

TEST(SaddleSteps, of_sdca_are_those_of_the_slow_version) {
  for (const Setting& setting : settings) expect_same(setting, Method::sdca);
  for (const Kind kind : {Kind::squared, Kind::norm, Kind::hinge})
    expect_same({kind, false, 0.3, 0.02, 0, 0}, Method::sdca);
}

}  // namespace saddle_steps_test
}  // namespace seesaw::saddle
