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
// Its steps, for callers that divide the work: matrices above 3 cholesky_panel columns are factored by panels of
// cholesky_panel columns. The factor of the block on the diagonal; the rows below it, X L^T = A in place; then what
// remains, A -= X X^T (multiply). Each row of X is computed by itself.
bool factor_cholesky_panel(double* a, std::size_t size, std::size_t stride);
void solve_cholesky_panel(const double* l, std::size_t size, std::size_t stride, double* a, std::size_t rows);
// L L^T x = b in place.
void solve_cholesky(const double* l, std::size_t size, double* x);

}  // namespace seesaw
