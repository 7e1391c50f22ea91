// The sums of a dual point, s = sum_i c_i y_i a_i, and the primal point and intercepts that methods start from.
#pragma once

#include <vector>

#include "base/scalar.h"
#include "base/tree_sum.h"
#include "model/intercept.h"
#include "model/problem.h"
#include "solvers/solver.h"

namespace seesaw {

// s = sum c_i y_i a_i, and sums = sum c_i y_i, one number per output.
inline void weighted_sums(const Problem& problem, std::vector<double> y, std::vector<double>& s,
                          std::vector<double>& sums) {
  const std::size_t outputs = problem.outputs();
  sums.resize(outputs);
  tree_sum(problem.leaves(), outputs, sums.data(), [&](std::size_t begin, std::size_t end, double* part) {
    for (std::size_t i = begin; i < end; ++i)
      for (std::size_t k = 0; k < outputs; ++k) part[k] += y[i * outputs + k] *= problem.normalized_weight[i];
  });
  s.resize(problem.d() * outputs);
  multiply_transposed(problem.data->rows, y.data(), s.data(), outputs);
}

// The x to start from: the given one, else grad g*(-s), else 0.
inline std::vector<double> starting_x(const Problem& problem, const Start& start, const std::vector<double>& s) {
  if (!start.y.empty() && start.x.size() == s.size()) return start.x;
  std::vector<double> x(s.size());
  if (!start.y.empty() && problem.penalty.l2() > 0)
    for (std::size_t j = 0; j < x.size(); ++j)
      x[j] = soft_threshold(-s[j], problem.penalty.l1()) / problem.penalty.l2();
  return x;
}

inline std::vector<double> starting_intercepts(const Problem& problem, const Start& start) {
  return !start.y.empty() && problem.free_intercept() ? start.intercept : intercepts_alone(problem);
}

// x to begin with, within its bounds: the given one, else that of the given y, else 0.
inline std::vector<double> starting_point(const Problem& problem, const Start& start) {
  std::vector<double> x(problem.d(), 0.0);
  if (start.x.size() == x.size()) {
    x = start.x;
  } else if (!start.y.empty()) {
    std::vector<double> s, sums;
    weighted_sums(problem, start.y, s, sums);
    x = starting_x(problem, start, s);
  }
  if (!problem.penalty.uniform())
    for (std::size_t j = 0; j < x.size(); ++j) x[j] = problem.penalty.bounds(j).clip(x[j]);
  return x;
}

}  // namespace seesaw
