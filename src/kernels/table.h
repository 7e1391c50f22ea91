// The kernels of one level, and those in use. Results are bitwise identical at every level: lanes and order are fixed,
// and a multiply-add is fused only where the source calls fma.
#pragma once

#include <cstddef>

#include "kernels/isa.h"

namespace seesaw {

// C += A B (or -=): element (i, j) of C is c[i + j stride], of A a[i a_row + k a_column], of B b[k b_row + j b_column].
// For every block of `product_depth` consecutive k, from 0 on: s = 0, s = fma(A_ik, B_kj, s) in the order of k, C += s.
struct Product {
  std::size_t rows, columns, depth;
  const double* a;
  std::size_t a_row, a_column;
  const double* b;
  std::size_t b_row, b_column;
  double* c;
  std::size_t stride;
  bool subtract = false;
  bool lower = false;  // only the elements with i >= j
};

inline constexpr std::size_t product_depth = 256;
inline constexpr std::size_t product_rows = 192, product_columns = 1536;  // the size of a packed block
inline constexpr std::size_t product_workspace = product_depth * (product_rows + product_columns);

inline constexpr std::size_t cholesky_panel = 128;  // columns of the Cholesky factor of a large matrix, together

struct Kernels {
  Isa isa;
  // sum_j a_j x_j and sum_j a_j S(x_j, e) with S the soft threshold: eight sums by j mod 8, the remainder in the first.
  double (*dot_double)(const double* a, const double* x, std::size_t size);
  double (*dot_float)(const float* a, const double* x, std::size_t size);
  double (*dot_soft_double)(const double* a, const double* x, std::size_t size, double e);
  double (*dot_soft_float)(const float* a, const double* x, std::size_t size, double e);
  // x_j += scale a_j
  void (*add_double)(double* x, double scale, const double* a, std::size_t size);
  void (*add_float)(double* x, double scale, const float* a, std::size_t size);

  void (*multiply)(const Product& product, double* workspace);
  // A = L L^T in place, lower triangle, columns contiguous; false where a pivot is not positive, or where `stop`, which
  // is called once per wide panel and may be null, returns true.
  bool (*cholesky)(double* a, std::size_t size, std::size_t stride, double* workspace, bool (*stop)());
  // X L^T = A in place for `rows` rows of X with `size` columns, by the operations with which `cholesky` computes the
  // rows below a panel of this size.
  void (*solve_panel)(const double* l, std::size_t size, std::size_t stride, double* a, std::size_t rows,
                      double* workspace);
  // L x = b and L^T x = b in place.
  void (*solve_lower)(const double* l, std::size_t size, std::size_t stride, double* x);
  void (*solve_upper)(const double* l, std::size_t size, std::size_t stride, double* x);
};

extern const Kernels baseline_kernels;
#if defined(__x86_64__)
extern const Kernels avx2_kernels, avx512_kernels;
#endif

const Kernels& kernels_of(Isa isa);

namespace kernels_in_use {
extern const Kernels* chosen;
}
inline const Kernels& kernels() { return *kernels_in_use::chosen; }
inline Isa isa_in_use() { return kernels().isa; }

}  // namespace seesaw
