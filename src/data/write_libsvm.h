// Writes LIBSVM text, numbers in the shortest form that parses to the same value.
#pragma once

#include <string>

#include "data/dataset.h"

namespace seesaw {

void write_libsvm(const Dataset& data, const std::string& path);

}  // namespace seesaw
