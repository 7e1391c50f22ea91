// Scaling of rows on disk: applied to each extent when it is read, instead of to a copy of the data. The values are
// bitwise those of apply() (data/transform.h) on the same rows in memory.
#pragma once

#include <vector>

#include "data/dataset.h"
#include "data/transform.h"

namespace seesaw {

// lengths: of each row, for Scaling::rows. Throws Error where the scaled rows would have other columns or another
// storage: a constant feature, or dense rows that are smaller as sparse ones once they are scaled.
Rows scaled_on_disk(const Transform& transform, const Dataset& data, std::vector<double> lengths);

}  // namespace seesaw
