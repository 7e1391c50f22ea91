// Rows that own their arrays: the arrays are moved into an owner that all copies of the rows share.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>

#include "base/buffer.h"
#include "data/rows.h"

namespace seesaw {

template <class Value, class Column>
SparseRows<Value, Column> own_sparse_rows(std::size_t width, Buffer<std::uint64_t> offsets, Buffer<Column> columns,
                                          Buffer<Value> values) {
  struct Arrays {
    Buffer<std::uint64_t> offsets;
    Buffer<Column> columns;
    Buffer<Value> values;
  };
  auto arrays = std::make_shared<Arrays>(Arrays{std::move(offsets), std::move(columns), std::move(values)});
  return {width, arrays->offsets.span(), arrays->columns.span(), arrays->values.span(), arrays};
}

template <class Value>
DenseRows<Value> own_dense_rows(std::size_t count, std::size_t width, Buffer<Value> values) {
  auto array = std::make_shared<Buffer<Value>>(std::move(values));
  return {count, width, array->span(), array};
}

}  // namespace seesaw
