// The rows of a data set as a Transform changes them.
#pragma once

#include "data/dataset.h"
#include "data/transform.h"

namespace seesaw {

// |a|; if the squares overflow or underflow, the entries are divided by the largest one first.
double norm(std::span<const double> a);

// `own`: null, or the data itself, whose arrays become those of the result where they belong to no other rows. The
// transform is not the identity.
Rows transformed_rows(const Transform& transform, const Dataset& data, Precision precision, Dataset* own);

}  // namespace seesaw
