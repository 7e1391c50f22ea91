// The baseline instruction set: fused products one number at a time, by the C library's fma, which is correctly rounded
// (in software if the processor has no FMA).
#include <cmath>

#include "kernels/dense_row.h"
#include "kernels/table.h"

namespace seesaw {
namespace {

struct Vector {
  static constexpr std::size_t size = 1;
  double v;
  static Vector zero() { return {0}; }
  static Vector load(const double* from) { return {*from}; }
  static Vector all(double value) { return {value}; }
  static Vector fma(Vector a, Vector b, Vector c) { return {__builtin_fma(a.v, b.v, c.v)}; }
  friend Vector operator+(Vector a, Vector b) { return {a.v + b.v}; }
  friend Vector operator-(Vector a, Vector b) { return {a.v - b.v}; }
  friend Vector operator*(Vector a, Vector b) { return {a.v * b.v}; }
  void store(double* to) const { *to = v; }
};
constexpr std::size_t tile_vectors = 4, tile_columns = 4;

}  // namespace
}  // namespace seesaw

#define SEESAW_LEVEL Isa::baseline
#define SEESAW_TABLE baseline_kernels
#include "kernels/levels/kernels.inc"
