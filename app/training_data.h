// What data can be trained on, checked before the work.
#pragma once

#include <string>

#include "data/readers/read.h"
#include "model/linear_model.h"

namespace seesaw::app {

// Throws Error for labels that do not fit the loss, for a format of the model that cannot keep what the data is, and for a
// warm start from another table. `loss` may be empty, `warm` null.
void check_training_data(const LoadedData& loaded, const std::string& loss, const std::string& model_format,
                         const LinearModel* warm, const std::string& warm_path);

}  // namespace seesaw::app
