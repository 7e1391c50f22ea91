// Rows that own their arrays: the arrays are moved into an owner that all copies of the rows share. The last one of these
// copies can give them back, to be rewritten in place.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

#include "base/buffer.h"
#include "data/rows.h"

namespace seesaw {

template <class Value, class Column = std::uint32_t>
struct OwnSparseArrays {
  Buffer<std::uint64_t> offsets;
  Buffer<Column> columns;
  Buffer<Value> values;
};

template <class Value>
struct OwnDenseArrays {
  Buffer<Value> values;
};

// The type of this deleter marks an owner made here (std::get_deleter).
template <class Arrays>
struct DeleteArrays {
  void operator()(Arrays* arrays) const { delete arrays; }
};
template <class Arrays>
std::shared_ptr<Arrays> own_arrays(Arrays arrays) {
  return {new Arrays(std::move(arrays)), DeleteArrays<Arrays>()};
}

template <class Value, class Column>
SparseRows<Value, Column> own_sparse_rows(std::size_t width, Buffer<std::uint64_t> offsets, Buffer<Column> columns,
                                          Buffer<Value> values, std::shared_ptr<const Leaves> leaves = nullptr) {
  const auto arrays =
      own_arrays(OwnSparseArrays<Value, Column>{std::move(offsets), std::move(columns), std::move(values)});
  return {width, arrays->offsets.span(), arrays->columns.span(), arrays->values.span(), arrays, std::move(leaves)};
}

template <class Value>
DenseRows<Value> own_dense_rows(std::size_t count, std::size_t width, Buffer<Value> values) {
  const auto arrays = own_arrays(OwnDenseArrays<Value>{std::move(values)});
  return {count, width, arrays->values.span(), arrays};
}

// The arrays of an owner made here, if no other rows share it and its values are those of the rows; otherwise nothing.
template <class Arrays, class RowsOf>
std::optional<Arrays> arrays_of_only_owner(const RowsOf& rows) {
  const std::shared_ptr<const void>& owner = rows.owner();
  if (owner.use_count() != 1 || std::get_deleter<DeleteArrays<Arrays>>(owner) == nullptr) return std::nullopt;
  auto* const arrays = const_cast<Arrays*>(static_cast<const Arrays*>(owner.get()));
  if (arrays->values.data() != rows.values().data() || arrays->values.size() != rows.entries()) return std::nullopt;
  return std::move(*arrays);
}

// The arrays of the rows, where they belong to these rows alone. The rows have their width and leaves afterwards, but no
// row and no entry.
template <class Value>
std::optional<OwnSparseArrays<Value>> take_arrays(SparseRows<Value>& rows) {
  static constexpr std::uint64_t no_rows = 0;
  auto taken = arrays_of_only_owner<OwnSparseArrays<Value>>(rows);
  if (taken) rows = SparseRows<Value>(rows.width(), {&no_rows, 1}, {}, {}, nullptr, rows.leaves());
  return taken;
}
template <class Value>
std::optional<OwnDenseArrays<Value>> take_arrays(DenseRows<Value>& rows) {
  auto taken = arrays_of_only_owner<OwnDenseArrays<Value>>(rows);
  if (taken) rows = DenseRows<Value>(0, rows.width(), {}, nullptr, rows.leaves());
  return taken;
}

}  // namespace seesaw
