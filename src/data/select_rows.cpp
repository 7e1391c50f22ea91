#include "data/select_rows.h"

#include <algorithm>

#include "data/own_rows.h"

namespace seesaw {
namespace {

template <class Value>
Rows selected(const SparseRows<Value>& rows, std::span<const std::uint32_t> which) {
  Buffer<std::uint64_t> offsets(which.size() + 1);
  offsets[0] = 0;
  for (std::size_t k = 0; k < which.size(); ++k) offsets[k + 1] = offsets[k] + rows.entries(which[k]);
  Buffer<std::uint32_t> columns(offsets[which.size()]);
  Buffer<Value> values(offsets[which.size()]);
  for (std::size_t k = 0; k < which.size(); ++k) {
    const auto row = rows.row(which[k]);
    std::copy_n(row.column, row.size, columns.data() + offsets[k]);
    std::copy_n(row.value, row.size, values.data() + offsets[k]);
  }
  return own_sparse_rows(rows.width(), std::move(offsets), std::move(columns), std::move(values));
}

template <class Value>
Rows selected(const DenseRows<Value>& rows, std::span<const std::uint32_t> which) {
  Buffer<Value> values(which.size() * rows.width());
  for (std::size_t k = 0; k < which.size(); ++k)
    std::copy_n(rows.row(which[k]).value, rows.width(), values.data() + k * rows.width());
  return own_dense_rows(which.size(), rows.width(), std::move(values));
}

}  // namespace

Rows select_rows(const Rows& rows, std::span<const std::uint32_t> which) {
  return std::visit([&](const auto& a) { return selected(a, which); }, rows);
}

}  // namespace seesaw
