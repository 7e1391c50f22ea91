// Eigen compiled for AVX2 and FMA, the reference for our kernels. Must not be linked with Eigen code compiled for another
// instruction set.
#pragma once

#include <cstddef>

namespace seesaw::bench {

void eigen_gram(const double* w, std::size_t size, std::size_t depth, double* h);  // lower triangle of H += W W^T
bool eigen_cholesky(double* a, std::size_t size);

}  // namespace seesaw::bench
