// LIBSVM text, numbers in the shortest form that reads back the same.
#pragma once

#include <string>

#include "data/dataset.h"

namespace seesaw {

void write_libsvm(const Dataset& data, const std::string& path);

}  // namespace seesaw
