// Our model format: one JSON object, numbers in the shortest form that reads back exactly. docs/formats.md describes
// it.
#pragma once

#include <string>

#include "model/linear_model.h"

namespace seesaw {

// Written to a temporary name, then renamed.
void write_model(const LinearModel& model, const std::string& path);

// Reads our format, or LIBLINEAR's text model. Throws Error with a sentence where it is neither, damaged, or newer.
LinearModel read_model(const std::string& path);

// The same in memory; `name` is for messages.
std::string model_file_text(const LinearModel& model);
LinearModel parse_model_file(const std::string& text, const std::string& name);

}  // namespace seesaw
