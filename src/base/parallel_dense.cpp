#include "base/parallel_dense.h"

#include <algorithm>
#include <cmath>

#include "base/parallel.h"
#include "base/tree_sum.h"
#include "kernels/dense.h"

namespace seesaw {
namespace {

// Borders of ranges of columns with equal parts of the lower triangle: the first c of `size` columns have
// 1 - (1 - c/size)^2 of it.
std::size_t border(std::size_t size, std::size_t part, std::size_t parts) {
  if (part == parts) return size;
  const double filled = static_cast<double>(part) / static_cast<double>(parts);
  const auto column = static_cast<std::size_t>(static_cast<double>(size) * (1 - std::sqrt(1 - filled)));
  return size < 512 ? column / 8 * 8 : column / 24 * 24;  // of the width of the kernels' tiles
}

// The lower triangle of a square product.
void multiply_lower(const Product& p, std::size_t tiles) {
  parallel_inside(tiles, [&](std::size_t tile) {
    const std::size_t from = border(p.columns, tile, tiles), to = border(p.columns, tile + 1, tiles);
    if (from == to) return;
    multiply({p.rows - from, to - from, p.depth, p.a + from * p.a_row, p.a_row, p.a_column, p.b + from * p.b_column,
              p.b_row, p.b_column, p.c + from + from * p.stride, p.stride, p.subtract, true});
  });
}

}  // namespace

std::size_t tiles_for(std::size_t size) {
  const std::size_t threads = available_threads();
  if (threads == 1) return 1;
  if (size >= 128 * threads) return 2 * threads;
  return std::clamp<std::size_t>(size / 32, 1, threads);
}

void add_gram_in_tiles(const double* w, std::size_t size, std::size_t depth, double* h, std::size_t stride,
                       std::size_t tiles) {
  multiply_lower({size, size, depth, w, 1, size, w, size, 1, h, stride, false, true}, tiles);
}

void add_gram_of_columns_in_tiles(const double* w, std::size_t size, std::size_t depth, std::size_t w_stride, double* h,
                                  std::size_t stride, std::size_t tiles) {
  multiply_lower({size, size, depth, w, w_stride, 1, w, 1, w_stride, h, stride, false, true}, tiles);
}

bool factor_cholesky_in_parallel(double* a, std::size_t size, bool (*stop)()) {
  if (size <= 3 * cholesky_panel || available_threads() == 1) return factor_cholesky(a, size, stop);
  for (std::size_t j = 0; j < size; j += cholesky_panel) {
    if (stop != nullptr && stop()) return false;
    const std::size_t columns = std::min(cholesky_panel, size - j), below = size - j - columns;
    double* const corner = a + j + j * size;
    if (!factor_cholesky_panel(corner, columns, size)) return false;
    const Chunks chunks = chunks_of(below, 96);
    parallel_inside(chunks.count, [&](std::size_t chunk) {
      solve_cholesky_panel(corner, columns, size, corner + columns + chunks.begin(chunk),
                           chunks.end(chunk) - chunks.begin(chunk));
    });
    const double* const done = corner + columns;
    multiply_lower(
        {below, below, columns, done, 1, size, done, size, 1, corner + columns + columns * size, size, true, true},
        tiles_for(below));
  }
  return true;
}

}  // namespace seesaw
