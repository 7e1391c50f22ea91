// Measures of predictions on rows that were not trained on. Rows count by their weights in the data.
//
// Classification: accuracy, balanced-accuracy (mean recall of the classes), auc (area under the ROC curve), average-precision
// (sum of precision times increase of recall over the thresholds), f1 (of the larger label), log-loss, brier (mean squared
// error of the probabilities). Of more than two classes: auc, average-precision and f1 are means over the classes, each
// against the others; brier sums over the classes.
// Regression: r2, mae, rmse, pinball.
// Both: deviance, 2 (phi(z) - min phi) in the mean, for losses that are likelihoods: logistic, softmax, squared.
#pragma once

#include <string_view>
#include <vector>

#include "model/linear_model.h"

namespace seesaw {

enum class MetricName {
  accuracy,
  balanced_accuracy,
  auc,
  average_precision,
  f1,
  log_loss,
  brier,
  r2,
  mae,
  rmse,
  pinball,
  deviance
};

struct Metric {
  MetricName id;
  std::string_view name;
  bool higher_is_better;
  bool of_labels, of_numbers;  // what it measures: predicted labels or classes, predicted numbers
  bool of_probabilities;       // needs a loss with probabilities
  bool bounded;                // bounds of scores give bounds of it (elimination.h)
};

const std::vector<Metric>& metrics();
const Metric& metric_named(std::string_view name);   // throws InvalidOption
const Metric& standard_metric(bool classification);  // accuracy, or rmse

struct Predictions {
  const LinearModel& model;            // loss and labels decide what the scores mean; its weights are not used
  const std::vector<double>& scores;   // outputs() per row
  const std::vector<double>& labels;   // as in the data
  const std::vector<double>& weights;  // empty: all 1
  double quantile = 0.5;               // of pinball
};

// Throws Error where it is not defined: probabilities of another loss, one class only.
double evaluate(const Metric& metric, const Predictions& predictions);
void require_defined(const Metric& metric, const LossKind& kind);  // throws Error for a loss without it

// t (b - z)_+ + (1 - t) (z - b)_+
inline double pinball_of(double b, double z, double t) { return b > z ? t * (b - z) : (1 - t) * (z - b); }

}  // namespace seesaw
