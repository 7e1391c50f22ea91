// Independent formulas of the block losses in long double: the reference for the tests.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include "model/problem.h"
#include "support/table.h"

namespace seesaw::test {

using LongBlock = std::vector<long double>;

inline long double block_phi_by_hand(const std::string& name, std::size_t b, const LongBlock& z) {
  if (name == "softmax") {
    long double sum = 0;
    for (std::size_t k = 0; k < z.size(); ++k)
      if (k != b) sum += std::exp(z[k] - z[b]);
    return std::log1p(sum);
  }
  if (name == "multiclass-hinge") {
    long double most = 0;
    for (std::size_t k = 0; k < z.size(); ++k) most = std::max(most, k == b ? 0 : 1 + z[k] - z[b]);
    return most;
  }
  throw std::logic_error("no formula by hand for the loss " + name + ": add it to tests/support/block_formulas.h");
}

// Precondition: y is feasible, up to rounding.
inline long double block_conjugate_by_hand(const std::string& name, std::size_t b, const LongBlock& y) {
  long double sum = 0, entropy = 0;
  for (std::size_t k = 0; k < y.size(); ++k) {
    const long double p = k == b ? 1 + y[k] : y[k];
    if (p < 0) return std::numeric_limits<long double>::infinity();
    if (p > 0) entropy += p * std::log(p);
    sum += y[k];
  }
  if (std::abs(sum) > 1e-14L) return std::numeric_limits<long double>::infinity();
  return name == "softmax" ? entropy : y[b];
}

inline LongBlock block_of(const std::vector<double>& all, std::size_t i, std::size_t size) {
  const auto begin = all.begin() + static_cast<std::ptrdiff_t>(i * size);
  return {begin, begin + static_cast<std::ptrdiff_t>(size)};
}

// P(x, b) of a problem with a block loss.
inline long double slow_block_primal(const Problem& p, const std::vector<double>& x,
                                     const std::vector<double>& intercept) {
  const Matrix a = matrix_of(*p.data);
  const std::size_t K = p.outputs();
  long double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    LongBlock z(intercept.begin(), intercept.end());
    for (std::size_t j = 0; j < p.d(); ++j)
      for (std::size_t k = 0; k < K; ++k) z[k] += (long double)a[i][j] * x[j * K + k];
    sum += p.normalized_weight[i] * block_phi_by_hand(std::string(p.kind->name), p.block().class_of_row[i], z);
  }
  for (double xj : x) sum += p.penalty.l2() / 2 * (long double)xj * xj + p.penalty.l1() * std::abs((long double)xj);
  return sum;
}

// D(y); -infinity if y is not feasible.
inline long double slow_block_dual(const Problem& p, const std::vector<double>& y) {
  const Matrix a = matrix_of(*p.data);
  const std::size_t K = p.outputs();
  long double sum = 0;
  LongBlock v(p.d() * K), balance(K);
  for (std::size_t i = 0; i < a.size(); ++i) {
    const LongBlock yi = block_of(y, i, K);
    sum -= p.normalized_weight[i] * block_conjugate_by_hand(std::string(p.kind->name), p.block().class_of_row[i], yi);
    for (std::size_t k = 0; k < K; ++k) {
      balance[k] += p.normalized_weight[i] * yi[k];
      for (std::size_t j = 0; j < p.d(); ++j) v[j * K + k] -= (long double)p.normalized_weight[i] * yi[k] * a[i][j];
    }
  }
  if (p.free_intercept())
    for (long double rest : balance)
      if (std::abs(rest) > 1e-15L) return -std::numeric_limits<long double>::infinity();
  for (long double vj : v) {
    const long double s = std::max(0.0L, std::abs(vj) - (long double)p.penalty.l1());
    if (p.penalty.l2() > 0) sum -= s * s / (2 * (long double)p.penalty.l2());
    else if (s > 1e-12L * p.penalty.l1()) return -std::numeric_limits<long double>::infinity();
  }
  return sum;
}

}  // namespace seesaw::test
