// How well probabilities agree with labels, on rows that the model was not trained on: before and after a calibration.
#pragma once

#include <optional>
#include <vector>

#include "model/linear_model.h"
#include "select/folds.h"

namespace seesaw {

// Of the rows whose predicted probability is in one tenth of [0, 1], empty tenths left out: weighted means.
struct ReliabilityBin {
  double predicted, observed;
  double weight;  // of all rows, with several classes of all rows and classes
};

struct Reliability {
  std::vector<ReliabilityBin> bins;
  double brier = 0, log_loss = 0;  // as the metrics of these names (docs/tuning.md)
};

struct CalibrationCheck {
  Reliability before;  // 1 / (1 + exp(-z)) of each score, divided by their sum if there are several
  Reliability after;   // each fold by a calibration of the other folds
};

// Of the scores of out_of_fold_scores(). Nothing if a fold cannot be left out: the others lack a class.
std::optional<CalibrationCheck> check_calibration(const LinearModel& model, CalibrationMethod method,
                                                  const Dataset& data, const Folds& folds,
                                                  const std::vector<double>& scores);

}  // namespace seesaw
