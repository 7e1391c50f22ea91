// The free intercept as a proximal point: one more feature with the entry t in every row and the penalty
// (lambda/2)(x - center)^2, whose center is updated after each pass. For b = t x this is (kappa_b/2)(b - b_center)^2
// with kappa_b = lambda/t^2. kappa_b = 3 lambda/mean|a_i|^2 is invariant to scaling the data. For lambda large compared
// to |a_i|^2, t is at least so large that a pass can move the intercept by the scale of the loss: gamma times a
// derivative for smooth losses, the size of the targets for nonsmooth ones.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "model/problem.h"

namespace seesaw {

// t^2; 0 without a free intercept. `square`: |a_i|^2. `lambda` and `gamma`: of the problem, or of the smoothed problem
// with an outer term that is solved in its place.
inline double squared_bias_entry(const Problem& problem, const std::vector<double>& square, double lambda,
                                 double gamma) {
  if (!problem.free_intercept()) return 0;
  double mean_square = 0, mean_target = 0;
  for (std::size_t i = 0; i < square.size(); ++i) {
    mean_square += problem.normalized_weight[i] * square[i];
    if (problem.is_scalar()) mean_target += problem.normalized_weight[i] * std::abs(problem.scalar().target[i]);
  }
  const double least = gamma > 0 ? 3 * gamma : mean_target == 0 ? 1 : mean_target;
  const double result = std::max(mean_square / 3, least * lambda);
  return result > 0 ? result : 1;
}

// t^2 for derivative steps, which converge if lambda gamma > c_i (|a_i|^2 + t^2) in every row: t^2 is at most half of
// the difference, so that the free intercept does not change the condition.
inline double squared_bias_entry_of_derivatives(const Problem& problem, const std::vector<double>& square,
                                                double lambda, double gamma) {
  const double exact_step = squared_bias_entry(problem, square, lambda, gamma);
  double features = 0, normalized_weight = 0;
  for (std::size_t i = 0; i < square.size(); ++i) {
    features = std::max(features, problem.normalized_weight[i] * square[i]);
    normalized_weight = std::max(normalized_weight, problem.normalized_weight[i]);
  }
  const double slack = lambda * gamma - features;
  return slack > 0 ? std::min(exact_step, slack / (2 * normalized_weight)) : exact_step;
}

}  // namespace seesaw
