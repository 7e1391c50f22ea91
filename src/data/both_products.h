// Both products of a certificate. For rows on disk (data/extents.h) they share one read of the file.
#pragma once

#include "data/dataset.h"

namespace seesaw {

// z = A x and v = A^T y, with the bits of multiply() and multiply_transposed().
void multiply_both(const Rows& rows, const double* x, double* z, const double* y, double* v, std::size_t outputs = 1);

}  // namespace seesaw
