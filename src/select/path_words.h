// Values of a path as people gave its range: "C = 0.37", "lambda = 0.01".
#pragma once

#include <string>
#include <string_view>

#include "select/path.h"

namespace seesaw {

double shown_value(const Path& path, double t);
std::string_view shown_parameter(const Path& path);
std::string shown(const Path& path, double t);
Interval shown_range(const Path& path, const Interval& range);  // ascending in the parameter shown
std::string shown(const Path& path, const Interval& range);     // "[0.001, 1000]"

// "within 0.1 % of the optimum", and ", or within 4e-12" where the proof uses the absolute tolerance.
bool uses_absolute(const Path& path);
std::string shown_accuracy(const Path& path);

}  // namespace seesaw
