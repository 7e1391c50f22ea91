// The choice among candidates from what was measured on the folds.
#pragma once

#include <vector>

#include "select/tune.h"

namespace seesaw {

struct MeanAndError {
  double mean, error;  // standard error of the mean: sqrt(sum (v - mean)^2 / (k (k - 1)))
};
MeanAndError mean_and_error(const std::vector<double>& values);

// Higher is better; what is not a number is worst.
double goodness_of(const Metric& metric, double value);

// Sorts the candidates, computes means and errors of those that were not eliminated, and sets best, one_se and chosen.
void order_and_choose(TuneResult& result, const TuneRequest& request);

}  // namespace seesaw
