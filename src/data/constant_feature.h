#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "base/buffer.h"
#include "base/parallel.h"
#include "base/tree_sum.h"
#include "data/own_rows.h"
#include "data/rows.h"

namespace seesaw {

// Sparse rows with a constant feature and no scaling: entries are moved, not rebuilt. The storage is that of rebuilt(), or
// nothing where it removes explicit zeros or is dense.
template <class Value>
std::optional<Rows> with_constant_feature(const SparseRows<Value>& rows, double constant) {
  const std::size_t n = rows.count(), d = rows.width(), entries = rows.entries() + n;
  const auto is_float = [](double value) { return static_cast<double>(static_cast<float>(value)) == value; };
  struct Kinds {
    std::size_t zeros = 0, wide = 0;
    Kinds& operator+=(const Kinds& other) {
      zeros += other.zeros;
      wide += other.wide;
      return *this;
    }
  };
  const auto kinds = tree_sum<Kinds>(*rows.leaves(), [&](std::size_t begin, std::size_t end) {
    Kinds of;
    const std::size_t first = rows.offsets()[begin], count = rows.offsets()[end] - first;
    for (const Value value : rows.values().subspan(first, count)) {
      of.zeros += value == 0;
      of.wide += !is_float(value);
    }
    return of;
  });
  const auto moved = [&]<class New>(New) -> std::optional<Rows> {
    if (n == 0 || kinds.zeros > 0 || d + 1 <= entries * (sizeof(New) + sizeof(std::uint32_t)) / (n * sizeof(New)))
      return std::nullopt;
    Buffer<std::uint64_t> offsets(n + 1);
    Buffer<std::uint32_t> columns(entries);
    Buffer<New> values(entries);
    for (std::size_t i = 0; i <= n; ++i) offsets[i] = rows.offsets()[i] + i;
    parallel_chunks(chunks_of(n, 1024), [&](std::size_t, std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        const auto row = rows.row(i);
        std::copy_n(row.column, row.size, columns.data() + offsets[i]);
        std::copy_n(row.value, row.size, values.data() + offsets[i]);
        columns[offsets[i + 1] - 1] = static_cast<std::uint32_t>(d);
        values[offsets[i + 1] - 1] = static_cast<New>(constant);
      }
    });
    return own_sparse_rows(d + 1, std::move(offsets), std::move(columns), std::move(values));
  };
  if (kinds.wide > 0 || !is_float(constant)) return moved(double());
  return moved(float());
}

}  // namespace seesaw
