#include "data/columns.h"

#include <algorithm>
#include <vector>

namespace seesaw {
namespace {

template <class Value>
Rows transposed(const SparseRows<Value>& rows) {
  struct Arrays {
    std::vector<std::uint64_t> offsets;
    std::vector<std::uint32_t> columns;
    std::vector<Value> values;
  };
  auto arrays = std::make_shared<Arrays>();
  Arrays& a = *arrays;
  a.offsets.resize(rows.width() + 1);
  a.columns.resize(rows.entries());
  a.values.resize(rows.entries());
  for (const std::uint32_t j : rows.columns()) ++a.offsets[j + 1];
  for (std::size_t j = 0; j < rows.width(); ++j) a.offsets[j + 1] += a.offsets[j];
  std::vector<std::uint64_t> next(a.offsets.begin(), a.offsets.end() - 1);
  for (std::size_t i = 0; i < rows.count(); ++i) {
    const auto row = rows.row(i);
    for (std::size_t k = 0; k < row.size; ++k) {
      const std::uint64_t at = next[row.column[k]]++;
      a.columns[at] = static_cast<std::uint32_t>(i);
      a.values[at] = row.value[k];
    }
  }
  return SparseRows<Value>(rows.count(), a.offsets, a.columns, a.values, arrays);
}

// In tiles, so that reads and writes both stay in cache.
template <class Value>
Rows transposed(const DenseRows<Value>& rows) {
  constexpr std::size_t tile = 64;
  const std::size_t n = rows.count(), d = rows.width();
  auto values = std::make_shared<std::vector<Value>>(n * d);
  for (std::size_t i0 = 0; i0 < n; i0 += tile)
    for (std::size_t j0 = 0; j0 < d; j0 += tile)
      for (std::size_t i = i0; i < std::min(n, i0 + tile); ++i)
        for (std::size_t j = j0; j < std::min(d, j0 + tile); ++j) (*values)[j * n + i] = rows.values()[i * d + j];
  const std::vector<Value>& view = *values;
  return DenseRows<Value>(d, n, view, values);
}

}  // namespace

Rows transpose(const Rows& rows) {
  return std::visit([](const auto& a) { return transposed(a); }, rows);
}

}  // namespace seesaw
