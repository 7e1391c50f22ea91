// Dual points for l1 > 0: y balanced for a free intercept, sum c_i y_i = 0, and D(s y) for a scaling s into the box
// |v_j| <= l1, v = -A^T C y.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "base/compensated_sum.h"
#include "base/tree_sum.h"
#include "model/losses/row_terms.h"
#include "model/problem.h"

namespace seesaw {

// As in the certificate: the sign with the larger sum is scaled down.
inline void balance_dual(const Problem& problem, std::vector<double>& y) {
  struct Signs {
    double up = 0, down = 0;
    Signs& operator+=(const Signs& other) {
      up += other.up;
      down += other.down;
      return *this;
    }
  };
  const auto [up, down] = tree_sum<Signs>(problem.leaves(), [&](std::size_t begin, std::size_t end) {
    Signs part;
    for (std::size_t i = begin; i < end; ++i)
      (y[i] > 0 ? part.up : part.down) += problem.normalized_weight[i] * std::abs(y[i]);
    return part;
  });
  const double s = std::min(up, down) / std::max({up, down, 1e-300});
  for (double& yi : y)
    if ((yi > 0) == (up > down)) yi *= s;
}

// sum c_i phi_i*(s y_i)
template <class LossType>
double conjugate_of_losses(const Problem& problem, const LossType& loss, const std::vector<double>& y, double s) {
  const double *const c = problem.normalized_weight.data(), *const target = problem.scalar().target.data(),
                      *const of = y.data();
  return tree_sum<CompensatedSum>(
             problem.leaves(),
             [&](std::size_t begin, std::size_t end) {
               return sum_in_lanes<1>(
                   begin, end, [ =, &loss ](std::size_t i) __attribute__((always_inline)) {
                     return std::array{c[i] * value_and_conjugate(loss, target[i], 0, s * of[i]).conjugate};
                   })[0];
             })
      .value();
}

// D(s y) = -sum c_i phi_i*(s y_i) - sum_j S(s v_j, l1)^2/(2 lambda). If lambda = 0, s v must be in the box.
template <class LossType>
double dual_value(const Problem& problem, const LossType& loss, const std::vector<double>& y,
                  const std::vector<double>& v, double s) {
  double sum = conjugate_of_losses(problem, loss, y, s);
  if (problem.penalty.l2() > 0)
    for (const double vj : v) {
      const double over = soft_threshold(s * vj, problem.penalty.l1());
      sum += over * over / (2 * problem.penalty.l2());
    }
  return -sum;
}

}  // namespace seesaw
