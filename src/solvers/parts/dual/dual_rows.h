// The dual variables of a primal-dual method with the data a step uses, one cache line per row; the dual steps of
// scalar losses (Euclidean or dual-free) and of block losses.
#pragma once

#include <cmath>
#include <type_traits>
#include <vector>

#include "data/rows.h"
#include "solvers/parts/common/dual_sums.h"
#include "solvers/parts/primal/lazy_primal.h"
#include "solvers/parts/steps/step_rule.h"

namespace seesaw {

enum class DualStep { euclidean, dual_free };

template <class LossType>
class DualRows {
 public:
  static constexpr bool blocks = std::is_same_v<LossType, Softmax> || std::is_same_v<LossType, MulticlassHinge>;
  using Outputs = std::conditional_t<blocks, SeveralOutputs, OneOutput>;

  struct alignas(64) Row {
    std::conditional_t<blocks, std::size_t, double> b;  // class, or target
    double q;                                           // 1/sigma_i
    double weight;                                      // w_i
    double normalized_weight;                           // c_i
    double tau, theta;
    double y;       // of scalar losses
    double anchor;  // u_i of dual-free steps: y = phi'(u)
  };

  DualRows(const Problem& problem, const LossType& loss, DualStep kind)
      : original_(loss), loss_(loss), kind_(kind), outputs_(make_outputs(problem)), row_(problem.n()) {
    if constexpr (blocks) y_.resize(problem.n() * outputs_.size());
    for (std::size_t i = 0; i < row_.size(); ++i) {
      if constexpr (blocks) row_[i].b = problem.block().class_of_row[i];
      else row_[i].b = problem.scalar().target[i];
      row_[i].normalized_weight = problem.normalized_weight[i];
    }
  }

  Outputs outputs() const { return outputs_; }
  std::size_t size() const { return row_.size(); }
  const Row& operator[](std::size_t i) const { return row_[i]; }
  double gamma() const { return loss_.gamma(); }

  // ---- the start ----

  void solve_empty(std::size_t i) {  // its score is always 0; uses the original loss, not the smoothed one
    if constexpr (blocks) {
      const std::vector<double> z(outputs_.size());
      original_.derivative(row_[i].b, z.data(), block(i));
    } else {
      row_[i].y = original_.derivative(row_[i].b, 0);
    }
  }
  void start(std::size_t i, const double* y) {
    if constexpr (blocks) std::copy_n(y, outputs_.size(), block(i));
    else row_[i].y = loss_.domain(row_[i].b).clip(*y);
  }
  void start_at_score(std::size_t i, double z) {  // of dual-free steps
    row_[i].anchor = z;
    if constexpr (!blocks) row_[i].y = loss_.derivative(row_[i].b, z);
  }
  double neutral_score(std::size_t i) const {  // where y = phi'(z) is 0, if such a score exists
    if constexpr (std::is_same_v<LossType, PiecewiseQuadratic>) return row_[i].b;
    else return 0;
  }

  // ---- steps ----

  // Smooths a nonsmooth loss by g. y is kept: the anchor of a dual-free step moves to where the new derivative is equal.
  void smooth(double g) {
    if constexpr (std::is_same_v<LossType, PiecewiseQuadratic>) {
      const double ratio = loss_.curvature > 0 ? g / loss_.curvature : 1;
      for (Row& row : row_) {
        const double excess = soft_threshold(row.anchor - row.b, loss_.insensitivity);
        row.anchor += (ratio - 1) * excess;
      }
    }
    if constexpr (requires { loss_.curvature; }) loss_.curvature = g;
  }

  void load(const Steps& steps, const std::vector<std::uint32_t>& rows) {
    const auto at = [](const std::vector<double>& values, std::size_t i) { return values[values.size() == 1 ? 0 : i]; };
    for (std::uint32_t i : rows) {
      row_[i].tau = at(steps.tau, i);
      row_[i].theta = at(steps.theta, i);
      load(i, at(steps.sigma, i), at(steps.weight, i));
    }
  }
  void load(std::uint32_t i, double sigma, double weight) {
    row_[i].q = 1 / sigma;
    row_[i].weight = weight;
  }

  // y_i <- its dual step at the score z; dy = how far it moved.
  void move(std::uint32_t i, const double* z, double* dy) {
    Row& row = row_[i];
    if constexpr (blocks) {
      double* y = block(i);
      loss_.dual_step(row.b, z, y, row.q, dy);
      for (std::size_t k = 0; k < outputs_.size(); ++k) {
        const double next = dy[k];
        dy[k] -= y[k];
        y[k] = next;
      }
    } else {
      double next;
      if (kind_ == DualStep::euclidean) {
        next = loss_.dual_step(row.b, *z, row.y, row.q);
      } else {
        row.anchor = (row.q * row.anchor + *z) / (row.q + 1);  // (u + sigma z)/(1 + sigma)
        next = loss_.derivative(row.b, row.anchor);
      }
      *dy = next - row.y;
      row.y = next;
    }
  }

  // |y_i' - y_i|/sigma of the Euclidean dual step with 1/sigma = q at the score z; y_i is kept. `next`: scratch.
  double gradient_map(std::uint32_t i, const double* z, double q, double* next) const {
    const Row& row = row_[i];
    double squares = 0;
    if constexpr (blocks) {
      const double* y = &y_[i * outputs_.size()];
      loss_.dual_step(row.b, z, y, q, next);
      for (std::size_t k = 0; k < outputs_.size(); ++k) squares += (next[k] - y[k]) * (next[k] - y[k]);
    } else {
      *next = loss_.dual_step(row.b, *z, row.y, q) - row.y;
      squares = *next * *next;
    }
    return q * std::sqrt(squares);
  }

  void read(std::vector<double>& y) const {
    if constexpr (blocks) {
      y = y_;
    } else {
      y.resize(row_.size());
      for (std::size_t i = 0; i < row_.size(); ++i) y[i] = row_[i].y;
    }
  }

  // s = sum c_i y_i a_i, and sums = sum c_i y_i.
  void sum(const Problem& problem, std::vector<double>& s, std::vector<double>& sums) const {
    std::vector<double> y;
    read(y);
    weighted_sums(problem, std::move(y), s, sums);
  }

 private:
  static Outputs make_outputs(const Problem& problem) {
    if constexpr (blocks) return {problem.outputs()};
    else return {};
  }
  double* block(std::size_t i) { return &y_[i * outputs_.size()]; }

  LossType original_, loss_;
  DualStep kind_;
  Outputs outputs_;
  std::vector<Row> row_;
  std::vector<double> y_;  // of block losses
};

}  // namespace seesaw
