// Probabilities from scores (docs/tuning.md): maps of the scores of a model, fitted on scores of rows that it was not trained
// on (select/calibrate.h), stored in the model.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/scalar.h"

namespace seesaw {

enum class CalibrationMethod { sigmoid, isotonic };
std::string_view name_of(CalibrationMethod method);

// The probability of the class of one output.
//
//     sigmoid:   p = 1 / (1 + exp(a z + b))
//     isotonic:  p = probabilities[k] at z = scores[k], linear between two scores, constant before the first and after the last
struct ScoreMap {
  double a = 0, b = 0;                          // sigmoid
  std::vector<double> scores, probabilities{};  // isotonic: both ascending, scores strictly
};

struct Calibration {
  CalibrationMethod method = CalibrationMethod::sigmoid;
  std::vector<ScoreMap> outputs;  // one per score of a row
};

double calibrated(CalibrationMethod method, const ScoreMap& map, double score);
// Bounds of the probability over an interval of scores, every rounding error included.
Interval calibrated(CalibrationMethod method, const ScoreMap& map, Interval score);

// Of each class from the scores of one row. One score: of the negative and the positive class; several: divided by their
// sum, or all equal if all are 0.
std::vector<double> probabilities(const Calibration& calibration, const double* scores);

// What is wrong with a calibration of a model with so many scores per row; empty: nothing.
std::string inconsistency_of(const Calibration& calibration, std::size_t outputs);

}  // namespace seesaw
