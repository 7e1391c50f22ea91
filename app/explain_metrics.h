// The metrics of a model on labelled data, in words.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "data_options.h"

namespace seesaw::app {

struct ModelMetrics {
  std::vector<std::string> words;
  nlohmann::ordered_json json;  // "data", "rows", "training": whether it is the training data, and metrics by name
};
// Throws Error where the data has no labels, or labels that the model does not have.
ModelMetrics measure_model(const LinearModel& given, const std::string& model_path, const DataOptions& options);

}  // namespace seesaw::app
