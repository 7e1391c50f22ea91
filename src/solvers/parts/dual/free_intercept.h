// The free intercept as a proximal point: one more feature with the entry t in every row, whose penalty is
// (lambda/2)(x - center)^2, the centre moving with each pass. t^2 = lambda/kb with kb = 3 lambda/mean|a_i|^2, so
// that scaling the data scales nothing else; and, where lambda is large against |a_i|^2, no smaller than what lets a
// pass move the intercept by what the loss asks for: gamma times a slope, or the size of the targets where there is a
// kink.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "model/problem.h"

namespace seesaw {

// t^2; 0 without a free intercept. `square`: |a_i|^2; `lambda` and `gamma` are the problem's, or those
// of the problem that stands for it: with an outer term, smoothed.
inline double squared_bias_entry(const Problem& problem, const std::vector<double>& square, double lambda,
                                 double gamma) {
  if (!problem.free_intercept()) return 0;
  double mean_square = 0, mean_target = 0;
  for (std::size_t i = 0; i < square.size(); ++i) {
    mean_square += problem.normalized_weight[i] * square[i];
    mean_target += problem.normalized_weight[i] * std::abs(problem.target[i]);
  }
  const double least = gamma > 0 ? 3 * gamma : problem.block_loss || mean_target == 0 ? 1 : mean_target;
  const double result = std::max(mean_square / 3, least * lambda);
  return result > 0 ? result : 1;
}

// The same for slope steps, which converge where lambda gamma > c_i (|a_i|^2 + t^2) in every row: t^2 takes at most
// half of the room that the features leave, so that a free intercept changes nothing about where they converge.
inline double squared_bias_entry_of_derivatives(const Problem& problem, const std::vector<double>& square,
                                                double lambda, double gamma) {
  const double wanted = squared_bias_entry(problem, square, lambda, gamma);
  double features = 0, normalized_weight = 0;
  for (std::size_t i = 0; i < square.size(); ++i) {
    features = std::max(features, problem.normalized_weight[i] * square[i]);
    normalized_weight = std::max(normalized_weight, problem.normalized_weight[i]);
  }
  const double room = lambda * gamma - features;
  return room > 0 ? std::min(wanted, room / (2 * normalized_weight)) : wanted;
}

}  // namespace seesaw
