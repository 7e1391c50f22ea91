// Products and factors of dense matrices, column-major, by the kernels in use.
#pragma once

#include <cstddef>

#include "kernels/table.h"

namespace seesaw {

// Lower triangle of H += W W^T, W with `size` contiguous rows and `depth` columns.
void add_gram(const double* w, std::size_t size, std::size_t depth, double* h, std::size_t stride);

// Lower triangle of H += W^T W, W with `depth` contiguous rows and `size` columns.
void add_gram_of_columns(const double* w, std::size_t size, std::size_t depth, std::size_t w_stride, double* h,
                         std::size_t stride);

void multiply(const Product& product);

// In place, lower triangle; false where a pivot is not positive, or where `stop`, called now and then, returns true.
bool factor_cholesky(double* a, std::size_t size, bool (*stop)() = nullptr);
// L L^T x = b in place.
void solve_cholesky(const double* l, std::size_t size, double* x);

}  // namespace seesaw
