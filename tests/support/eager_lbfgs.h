// A reference of L-BFGS by its textbook form: dense, in long double, the two-loop recursion on vectors, every product
// written out, derivatives of the losses by hand. Scalar losses and softmax.
#pragma once

#include <cmath>
#include <deque>
#include <stdexcept>
#include <string>
#include <vector>

#include "model/intercept.h"
#include "model/problem.h"
#include "support/block_formulas.h"
#include "support/formulas.h"
#include "support/table.h"

namespace seesaw::test {

class EagerLbfgs {
 public:
  using Real = long double;
  using Vector = std::vector<Real>;

  // `rounded`: s/|s| and y/|y| are rounded to floats, as in the engine.
  EagerLbfgs(const Problem& problem, std::size_t pairs, Real flat, bool rounded)
      : problem_(problem),
        a_(matrix_of(*problem.data)),
        outputs_(problem.outputs()),
        most_(pairs),
        flat_(flat),
        rounded_(rounded),
        x_(problem.d() * outputs_),
        b_(outputs_) {
    const std::vector<double> first = intercepts_alone(problem);
    b_.assign(first.begin(), first.end());
    z_ = scores(x_, b_);
    optimize_intercepts();
    g_ = gradient();
  }

  void step() {
    const Vector d = direction();
    Vector q = scores(d, Vector(outputs_)), beta(outputs_);
    if (problem_.free_intercept()) {
      beta = solve(intercept_curvature(), curvature_along(q));
      for (Real& number : beta) number = -number;
      add_to_rows(q, beta);
    }
    const Real t = line_minimum(d, q);
    const Vector before = g_;
    for (std::size_t j = 0; j < x_.size(); ++j) x_[j] += t * d[j];
    for (std::size_t at = 0; at < z_.size(); ++at) z_[at] += t * q[at];
    for (std::size_t k = 0; k < outputs_; ++k) b_[k] += t * beta[k];
    optimize_intercepts();
    g_ = gradient();
    Vector s(x_.size()), y(x_.size());
    for (std::size_t j = 0; j < x_.size(); ++j) {
      s[j] = t * d[j];
      y[j] = g_[j] - before[j];
    }
    if (!(dot(s, y) > 0)) return;
    for (Vector* vector : {&s, &y}) {
      const Real norm = std::sqrt(dot(*vector, *vector));
      if (rounded_)
        for (Real& number : *vector) number = norm * static_cast<float>(number / norm);
    }
    pairs_.push_back({s, y});
    if (pairs_.size() > most_) pairs_.pop_front();
  }

  // The largest difference to the point, relative to the largest number of x.
  double distance(const Point& point) const {
    Real size = 1, worst = 0;
    for (const Real x : x_) size = std::max(size, std::abs(x));
    for (std::size_t j = 0; j < x_.size(); ++j) worst = std::max(worst, std::abs(point.x[j] - x_[j]) / size);
    for (std::size_t at = 0; at < z_.size(); ++at)
      worst = std::max(worst, std::abs(point.y[at] - derivatives(at / outputs_, z_)[at % outputs_]) / size);
    for (std::size_t k = 0; k < outputs_; ++k) worst = std::max(worst, std::abs(point.intercept[k] - b_[k]) / size);
    return static_cast<double>(worst);
  }

  Real gradient_norm() const { return std::sqrt(dot(g_, g_)); }
  Real step_length = 0;

 private:
  static Real dot(const Vector& a, const Vector& b) {
    Real sum = 0;
    for (std::size_t j = 0; j < a.size(); ++j) sum += a[j] * b[j];
    return sum;
  }
  Real lambda(std::size_t at) const { return problem_.penalty.l2(at / outputs_); }
  Real weight(std::size_t i) const { return problem_.normalized_weight[i]; }

  Vector direction() const {
    Vector q = g_;
    std::vector<Real> alpha(pairs_.size());
    for (std::size_t i = pairs_.size(); i-- > 0;) {
      alpha[i] = dot(pairs_[i].s, q) / dot(pairs_[i].s, pairs_[i].y);
      for (std::size_t j = 0; j < q.size(); ++j) q[j] -= alpha[i] * pairs_[i].y[j];
    }
    if (!pairs_.empty()) {
      const Real gamma = dot(pairs_.back().s, pairs_.back().y) / dot(pairs_.back().y, pairs_.back().y);
      for (Real& number : q) number *= gamma;
    }
    for (std::size_t i = 0; i < pairs_.size(); ++i) {
      const Real beta = dot(pairs_[i].y, q) / dot(pairs_[i].s, pairs_[i].y);
      for (std::size_t j = 0; j < q.size(); ++j) q[j] += (alpha[i] - beta) * pairs_[i].s[j];
    }
    for (Real& number : q) number = -number;
    return q;
  }

  struct At {
    Real value, derivative, curvature;
  };
  At along(const Vector& d, const Vector& q, Real t) const {
    At sum{0, 0, 0};
    Vector z = z_;
    for (std::size_t at = 0; at < z.size(); ++at) z[at] += t * q[at];
    for (std::size_t i = 0; i < a_.size(); ++i) {
      const Vector y = derivatives(i, z), hq = curvature_product(i, z, q);
      sum.value += weight(i) * loss(i, z);
      for (std::size_t k = 0; k < outputs_; ++k) {
        sum.derivative += weight(i) * y[k] * q[i * outputs_ + k];
        sum.curvature += weight(i) * hq[k] * q[i * outputs_ + k];
      }
    }
    for (std::size_t j = 0; j < x_.size(); ++j) {
      const Real x = x_[j] + t * d[j];
      sum.value += lambda(j) / 2 * x * x;
      sum.derivative += lambda(j) * x * d[j];
      sum.curvature += lambda(j) * d[j] * d[j];
    }
    return sum;
  }

  // The zero of the derivative by Newton steps in a bracket, to `flat` of the derivative at 0.
  Real line_minimum(const Vector& d, const Vector& q) {
    const At start = along(d, q, 0);
    Real lo = 0, hi = std::numeric_limits<Real>::infinity(), previous = hi;
    Real t = pairs_.empty() ? -start.derivative / start.curvature : 1;
    for (int round = 0; round < 60; ++round) {
      const At at = along(d, q, t);
      if (std::abs(at.derivative) <= -flat_ * start.derivative &&
          at.value <= start.value + 1e-4L * t * start.derivative + 1e-14L * std::abs(start.value))
        break;
      (at.derivative > 0 ? hi : lo) = t;
      Real next = t - at.derivative / at.curvature;
      const bool slow = std::abs(at.derivative) > previous / 2 && !std::isinf(hi);
      if (slow || !(lo < next && next < hi && next <= 10 * t)) next = std::isinf(hi) ? 10 * t : (lo + hi) / 2;
      previous = std::abs(at.derivative);
      t = next;
    }
    return step_length = t;
  }

  Vector scores(const Vector& x, const Vector& b) const {
    Vector z(a_.size() * outputs_);
    for (std::size_t i = 0; i < a_.size(); ++i)
      for (std::size_t k = 0; k < outputs_; ++k) {
        Real sum = b[k];
        for (std::size_t j = 0; j < problem_.d(); ++j) sum += a_[i][j] * x[j * outputs_ + k];
        z[i * outputs_ + k] = sum;
      }
    return z;
  }
  void add_to_rows(Vector& z, const Vector& b) const {
    for (std::size_t at = 0; at < z.size(); ++at) z[at] += b[at % outputs_];
  }

  Vector gradient() const {
    Vector g(x_.size());
    for (std::size_t i = 0; i < a_.size(); ++i) {
      const Vector y = derivatives(i, z_);
      for (std::size_t j = 0; j < problem_.d(); ++j)
        for (std::size_t k = 0; k < outputs_; ++k) g[j * outputs_ + k] += weight(i) * y[k] * a_[i][j];
    }
    for (std::size_t j = 0; j < g.size(); ++j) g[j] += lambda(j) * x_[j];
    return g;
  }

  // ---- the loss of one row: its value, derivatives and second derivatives times q ----

  std::string name() const { return std::string(problem_.kind->name); }
  bool scalar() const { return name() != "softmax"; }
  Vector of_row(std::size_t i, const Vector& z) const {
    return {z.begin() + static_cast<std::ptrdiff_t>(i * outputs_),
            z.begin() + static_cast<std::ptrdiff_t>((i + 1) * outputs_)};
  }

  Real loss(std::size_t i, const Vector& z) const {
    if (scalar()) return phi_by_hand<Real>(name(), problem_.loss_parameter, problem_.scalar().target[i], z[i]);
    return block_phi_by_hand("softmax", problem_.block().class_of_row[i], of_row(i, z));
  }
  Vector probabilities(const Vector& z) const {
    Vector p(z.size());
    for (std::size_t k = 0; k < z.size(); ++k) {
      Real sum = 0;
      for (const Real other : z) sum += std::exp(other - z[k]);
      p[k] = 1 / sum;
    }
    return p;
  }
  Vector derivatives(std::size_t i, const Vector& z) const {
    if (scalar()) return {derivative(problem_.scalar().target[i], z[i])};
    Vector y = probabilities(of_row(i, z));
    y[problem_.block().class_of_row[i]] -= 1;
    return y;
  }
  Vector curvature_product(std::size_t i, const Vector& z, const Vector& q) const {
    if (scalar()) return {curvature(problem_.scalar().target[i], z[i]) * q[i]};
    const Vector p = probabilities(of_row(i, z));
    Real mean = 0;
    for (std::size_t k = 0; k < p.size(); ++k) mean += p[k] * q[i * outputs_ + k];
    Vector product(p.size());
    for (std::size_t k = 0; k < p.size(); ++k) product[k] = p[k] * (q[i * outputs_ + k] - mean);
    return product;
  }

  Real derivative(Real b, Real z) const {
    const Real k = problem_.loss_parameter, r = z - b, m = b * z;
    if (name() == "squared") return r;
    if (name() == "huber") return std::max(-k, std::min(k, r));
    if (name() == "squared-epsilon-insensitive") return std::abs(r) <= k ? 0 : 2 * (r > 0 ? r - k : r + k);
    if (name() == "smooth-hinge") return m >= 1 ? 0 : m <= 1 - k ? -b : -b * (1 - m) / k;
    if (name() == "squared-hinge") return m >= 1 ? 0 : -2 * b * (1 - m);
    if (name() == "logistic") return -b / (1 + std::exp(m));
    throw std::logic_error("no derivative by hand for the loss " + name() + ": add it to tests/support/eager_lbfgs.h");
  }
  Real curvature(Real b, Real z) const {
    const Real k = problem_.loss_parameter, r = z - b, m = b * z;
    if (name() == "squared") return 1;
    if (name() == "huber") return std::abs(r) < k ? 1 : 0;
    if (name() == "squared-epsilon-insensitive") return std::abs(r) > k ? 2 : 0;
    if (name() == "smooth-hinge") return m < 1 && m > 1 - k ? 1 / k : 0;
    if (name() == "squared-hinge") return m < 1 ? 2 : 0;
    return 1 / ((1 + std::exp(m)) * (1 + std::exp(-m)));  // logistic
  }

  // ---- free intercepts: the best ones for the scores, by Newton's method to the accuracy of long double ----

  std::vector<Vector> intercept_curvature() const {
    std::vector<Vector> h(outputs_, Vector(outputs_));
    for (std::size_t k = 0; k < outputs_; ++k) {
      Vector unit(z_.size());
      for (std::size_t i = 0; i < a_.size(); ++i) unit[i * outputs_ + k] = 1;
      const Vector column = curvature_along(unit);
      for (std::size_t l = 0; l < outputs_; ++l) h[l][k] = column[l];
    }
    Real trace = 0;
    for (std::size_t k = 0; k < outputs_; ++k) trace += h[k][k];
    if (!scalar())  // singular for equal numbers in all classes
      for (Vector& row : h)
        for (Real& number : row) number += trace / static_cast<Real>(outputs_);
    return h;
  }
  Vector curvature_along(const Vector& q) const {
    Vector sum(outputs_);
    for (std::size_t i = 0; i < a_.size(); ++i) {
      const Vector product = curvature_product(i, z_, q);
      for (std::size_t k = 0; k < outputs_; ++k) sum[k] += weight(i) * product[k];
    }
    return sum;
  }
  void optimize_intercepts() {
    if (!problem_.free_intercept()) return;
    for (int round = 0; round < 50; ++round) {
      Vector r(outputs_);
      for (std::size_t i = 0; i < a_.size(); ++i) {
        const Vector y = derivatives(i, z_);
        for (std::size_t k = 0; k < outputs_; ++k) r[k] -= weight(i) * y[k];
      }
      const Vector move = solve(intercept_curvature(), r);
      add_to_rows(z_, move);
      Real largest = 0;
      for (std::size_t k = 0; k < outputs_; ++k) {
        b_[k] += move[k];
        largest = std::max(largest, std::abs(move[k]));
      }
      if (largest < 1e-17L) return;
    }
  }

  static Vector solve(std::vector<Vector> h, Vector r) {  // Gaussian elimination; h is positive definite
    const std::size_t size = r.size();
    for (std::size_t k = 0; k < size; ++k)
      for (std::size_t i = k + 1; i < size; ++i) {
        const Real f = h[i][k] / h[k][k];
        for (std::size_t j = k; j < size; ++j) h[i][j] -= f * h[k][j];
        r[i] -= f * r[k];
      }
    for (std::size_t k = size; k-- > 0;) {
      for (std::size_t j = k + 1; j < size; ++j) r[k] -= h[k][j] * r[j];
      r[k] /= h[k][k];
    }
    return r;
  }

  struct Pair {
    Vector s, y;
  };
  const Problem& problem_;
  Matrix a_;
  std::size_t outputs_, most_;
  Real flat_;
  bool rounded_;
  Vector x_, b_, z_, g_;
  std::deque<Pair> pairs_;  // the oldest first
};

}  // namespace seesaw::test
