// The lines of `seesaw predict --intervals`, and what they come to.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "data/dataset.h"
#include "model/linear_model.h"

namespace seesaw::app {

struct IntervalLines {
  std::string text;  // a line that names the columns, then one per row
  nlohmann::ordered_json json =
      nlohmann::ordered_json::object();  // settled, and bounds of the accuracy where the data has labels
  std::string words;                     // the same in a sentence; empty in regression
};

// `z`: decision_values(). Throws Error where the model has no bounds of the optimum.
IntervalLines interval_lines(const LinearModel& model, const Dataset& data, const std::vector<double>& z,
                             bool probabilities);

// Whether the model predicts the logarithm of the label, which predict undoes.
bool undoes_logarithm(const LinearModel& model);

}  // namespace seesaw::app
