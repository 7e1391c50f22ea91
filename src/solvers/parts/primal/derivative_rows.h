// The derivatives y_i = phi_i'(a_i.x + b) stored by a primal gradient method, with the data a step uses, half a cache
// line per row.
#pragma once

#include <vector>

#include "solvers/parts/common/dual_sums.h"
#include "solvers/parts/steps/step_rule.h"

namespace seesaw {

// L, the largest smoothness constant of a row's term of P including the penalty; steps are multiples of 1/L. Gradients
// of uniformly drawn rows are scaled by n c_i.
inline double row_smoothness(const RowFacts& facts, double gamma) {
  return facts.largest * facts.largest / gamma + facts.lambda;
}

template <class LossType>
class DerivativeRows {
 public:
  struct Row {
    double y;
    double b;                  // label
    double normalized_weight;  // c_i
    double weight;             // n c_i, n the number of drawable rows; 0: an empty row
  };

  // y = 0, or the given y; empty rows get their optimal y, by the original loss.
  DerivativeRows(const Problem& problem, const LossType& loss, const RowFacts& facts, const Start& start)
      : problem_(problem), loss_(loss), row_(problem.n()) {
    for (std::size_t i = 0; i < row_.size(); ++i) {
      Row& row = row_[i];
      row.b = problem.scalar().target[i];
      row.normalized_weight = problem.normalized_weight[i];
      row.weight = facts.empty(i) ? 0 : facts.m * row.normalized_weight;
      row.y = facts.empty(i) ? loss.derivative(row.b, 0) : start.y.empty() ? 0 : loss.domain(row.b).clip(start.y[i]);
    }
  }

  std::size_t size() const { return row_.size(); }
  Row& operator[](std::size_t i) { return row_[i]; }
  double derivative(const Row& row, double z) const { return loss_.derivative(row.b, z); }
  double gamma() const { return loss_.gamma(); }

  void smooth(double g) {  // a nonsmooth loss
    if constexpr (requires { loss_.curvature; }) loss_.curvature = g;
  }

  void read(std::vector<double>& y) const {
    y.resize(row_.size());
    for (std::size_t i = 0; i < row_.size(); ++i) y[i] = row_[i].y;
  }

  // y_i = phi_i'(a_i.x + b) of all rows but the empty ones; one product A x.
  void derivatives_at(const std::vector<double>& x, double intercept, std::vector<double>& y) const {
    y.resize(row_.size());
    multiply(problem_.data->rows, x.data(), y.data());
    for (std::size_t i = 0; i < row_.size(); ++i)
      y[i] = row_[i].weight > 0 ? derivative(row_[i], y[i] + intercept) : row_[i].y;
  }
  void set(const std::vector<double>& y) {
    for (std::size_t i = 0; i < row_.size(); ++i) row_[i].y = y[i];
  }

 private:
  const Problem& problem_;
  LossType loss_;
  std::vector<Row> row_;
};

}  // namespace seesaw
