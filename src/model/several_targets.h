// Models with several numbers to predict per row. The problem is separable: K scalar problems over the same rows, weights
// and penalty, one per target. Such a model has K outputs, no labels, and a certificate per target (LinearModel::classes).
#pragma once

#include <cstddef>
#include <vector>

#include "model/linear_model.h"

namespace seesaw {

inline bool several_targets(const LinearModel& model) { return model.outputs() > 1 && model.labels.empty(); }

// The label of the class, or the number of the target from 1, that output k is the score of.
double output_label(const LinearModel& model, std::size_t k);

// The model of target k alone, with its certificate.
LinearModel target_model(const LinearModel& model, std::size_t k);

// The numbers of output k in an array that has `outputs` of them per row or feature, and the reverse.
std::vector<double> of_output(const std::vector<double>& all, std::size_t k, std::size_t outputs);
void set_output(std::vector<double>& all, const std::vector<double>& one, std::size_t k, std::size_t outputs);

}  // namespace seesaw
