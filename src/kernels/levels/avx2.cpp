// AVX2 and FMA: the 12 x 4 sums of a tile use 12 of 16 registers.
#include <immintrin.h>

#include "kernels/dense_row.h"
#include "kernels/table.h"

namespace seesaw {
namespace {

struct Vector {
  static constexpr std::size_t size = 4;
  __m256d v;
  static Vector zero() { return {_mm256_setzero_pd()}; }
  static Vector load(const double* from) { return {_mm256_loadu_pd(from)}; }
  static Vector all(double value) { return {_mm256_set1_pd(value)}; }
  static Vector fma(Vector a, Vector b, Vector c) { return {_mm256_fmadd_pd(a.v, b.v, c.v)}; }
  friend Vector operator+(Vector a, Vector b) { return {_mm256_add_pd(a.v, b.v)}; }
  friend Vector operator-(Vector a, Vector b) { return {_mm256_sub_pd(a.v, b.v)}; }
  friend Vector operator*(Vector a, Vector b) { return {_mm256_mul_pd(a.v, b.v)}; }
  void store(double* to) const { _mm256_storeu_pd(to, v); }
};
constexpr std::size_t tile_vectors = 3, tile_columns = 4;

}  // namespace
}  // namespace seesaw

#define SEESAW_LEVEL Isa::avx2
#define SEESAW_TABLE avx2_kernels
#include "kernels/levels/kernels.inc"
