// LIBLINEAR's text model, so that its predictors in every language can use our fits, and we its models.
#pragma once

#include <string>

#include "model/linear_model.h"

namespace seesaw {

// Column scaling is folded into the weights. Refused with a sentence: row scaling (it cannot be folded), labels that
// are not whole numbers.
void write_liblinear_model(const LinearModel& model, const std::string& path);

bool is_liblinear_model(const std::string& text);  // by its first line
LinearModel parse_liblinear_model(const std::string& text, const std::string& path);

}  // namespace seesaw
