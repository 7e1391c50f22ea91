// Eigen compiled for AVX2 and FMA: what our kernels are measured against. It shares no program with Eigen code of
// another level.
#pragma once

#include <cstddef>

namespace seesaw::bench {

void eigen_gram(const double* w, std::size_t size, std::size_t depth, double* h);  // lower triangle of H += W W^T
bool eigen_cholesky(double* a, std::size_t size);

}  // namespace seesaw::bench
