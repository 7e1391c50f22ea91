// The calibration of a model in its file (docs/formats.md, "calibration").
#pragma once

#include <string>

#include "model/calibration.h"
#include "model/json_fields.h"

namespace seesaw::model_format {

std::string text_of(const Calibration& calibration);  // a JSON object on one line
// Throws Error if a field is missing or the calibration is not one of a model with so many scores per row.
Calibration parse_calibration(const Fields& fields, std::size_t outputs, const std::string& path);

}  // namespace seesaw::model_format
