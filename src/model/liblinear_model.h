// LIBLINEAR's text model: its predictors can use the models of Seesaw, and Seesaw its models.
#pragma once

#include <string>

#include "model/linear_model.h"

namespace seesaw {

// Column scaling is folded into the weights. Throws Error for row scaling, which cannot be folded, and for labels that
// are not whole numbers.
void write_liblinear_model(const LinearModel& model, const std::string& path);

bool is_liblinear_model(const std::string& text);  // by its first line
LinearModel parse_liblinear_model(const std::string& text, const std::string& path);

}  // namespace seesaw
