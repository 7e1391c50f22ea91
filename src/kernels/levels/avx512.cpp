// AVX-512: the 24 x 8 sums of a tile use 24 of 32 registers.
#include <immintrin.h>

#include "kernels/dense_row.h"
#include "kernels/table.h"

namespace seesaw {
namespace {

struct Vector {
  static constexpr std::size_t size = 8;
  __m512d v;
  static Vector zero() { return {_mm512_setzero_pd()}; }
  static Vector load(const double* from) { return {_mm512_loadu_pd(from)}; }
  static Vector all(double value) { return {_mm512_set1_pd(value)}; }
  static Vector fma(Vector a, Vector b, Vector c) { return {_mm512_fmadd_pd(a.v, b.v, c.v)}; }
  friend Vector operator+(Vector a, Vector b) { return {_mm512_add_pd(a.v, b.v)}; }
  friend Vector operator-(Vector a, Vector b) { return {_mm512_sub_pd(a.v, b.v)}; }
  friend Vector operator*(Vector a, Vector b) { return {_mm512_mul_pd(a.v, b.v)}; }
  void store(double* to) const { _mm512_storeu_pd(to, v); }
};
constexpr std::size_t tile_vectors = 3, tile_columns = 8;

}  // namespace
}  // namespace seesaw

#define SEESAW_LEVEL Isa::avx512
#define SEESAW_TABLE avx512_kernels
#include "kernels/levels/kernels.inc"
