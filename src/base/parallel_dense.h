// Products and factors of dense matrices by several threads: tiles of the result in parallel, each element by the same
// operations in the same order as in kernels/dense.h, so the same bits for any number of threads.
#pragma once

#include <cstddef>

namespace seesaw {

// Tiles for the threads available, for a matrix of this size; 1 if it is too small to be divided.
std::size_t tiles_for(std::size_t size);

// As add_gram and add_gram_of_columns (kernels/dense.h), in `tiles` ranges of columns.
void add_gram_in_tiles(const double* w, std::size_t size, std::size_t depth, double* h, std::size_t stride,
                       std::size_t tiles);
void add_gram_of_columns_in_tiles(const double* w, std::size_t size, std::size_t depth, std::size_t w_stride, double* h,
                                  std::size_t stride, std::size_t tiles);

// As factor_cholesky: the factor of a panel of columns, the rows below it in parallel, then tiles of what remains.
bool factor_cholesky_in_parallel(double* a, std::size_t size, bool (*stop)() = nullptr);

}  // namespace seesaw
