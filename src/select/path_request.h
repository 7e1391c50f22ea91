// A path as requested: one coefficient has a range, or none is given (glmnet's grid). resolve_path() applies it to data.
#pragma once

#include <cstddef>
#include <optional>

#include "run/fit.h"
#include "select/path_line.h"

namespace seesaw {

struct PathRequest {
  FitSpec fit;  // lambda, l1 and C of the objective: those that are kept. criteria.gap: of each fit, see choose_gap()
  std::optional<Interval> C, lambda, l1;  // at most one: the range
  std::optional<double> mix;              // l1 = mix tau, lambda = (1 - mix) tau, in (0, 1)
  double accuracy = 1e-3;
  std::size_t points = 0;  // fits at so many values, equally spaced in the logarithm; 0: as many as cover the range

  bool has_range() const { return C || lambda || l1; }
  // Fits to a gap of 1/20 of the accuracy cover nearly as much as exact ones; values of a grid to 1e-6.
  double standard_gap() const { return points > 0 ? 1e-6 : accuracy / 20; }
};

inline constexpr std::size_t glmnet_points = 100;

struct ResolvedPath {
  Problem problem;  // at range.hi; refers to the data given
  PathLine line;
  Interval range;  // of t
  std::size_t points;
};

// glmnet's range: from tau_max, the smallest tau that gives x = 0 (l2: that of the mix 1/1000), down to 1e-4 tau_max, or
// 1e-2 tau_max where rows are fewer than features. Throws Error or InvalidOption with a sentence.
ResolvedPath resolve_path(const Dataset& prepared, const Objective& given, const PathRequest& request);

void validate(const PathRequest& request);  // what can be checked without data

}  // namespace seesaw
