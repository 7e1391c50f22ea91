// Maps from scores to probabilities (model/calibration.h), fitted on scores of rows that the model was not trained on.
#pragma once

#include <vector>

#include "model/linear_model.h"

namespace seesaw {

struct ScoredRow {
  double score;
  double weight;
  bool positive;
};

// Platt's method (Platt 1999; Lin, Lin and Weng 2007): a and b minimize the log loss of p = 1 / (1 + exp(a z + b)) for the
// targets (N+ + 1)/(N+ + 2) of positive rows and 1/(N- + 2) of negative ones, N their sums of weights. The problem is convex
// and has a minimizer, unique unless all scores are equal, where a = 0. Newton's method with step halving, to the limit of
// floating-point accuracy.
ScoreMap fit_sigmoid(const std::vector<ScoredRow>& rows);

// The nondecreasing function of the score with the least weighted squared error, by pooling adjacent violators. Rows of equal
// scores are pooled first. Every pool gives the points of its lowest and its highest score.
ScoreMap fit_isotonic(std::vector<ScoredRow> rows);

// Of the scores of out_of_fold_scores(): model.outputs() per row of the data, rows with NaN are left out. Rows count by their
// weights in the data. Throws Error where the model is not binary or one-versus-rest.
Calibration calibrate(const LinearModel& model, CalibrationMethod method, const Dataset& data,
                      const std::vector<double>& scores);

// Throws Error where a loss cannot be calibrated: only those of the sign of one score can.
void require_calibrated(const LossKind& kind);

}  // namespace seesaw
