// Small data given as a matrix, in any storage, and converted back to a matrix.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "data/dataset.h"

namespace seesaw::test {

using Matrix = std::vector<std::vector<double>>;

enum class Storage { sparse, sparse_float, dense, dense_float };
inline constexpr Storage all_storages[] = {Storage::sparse, Storage::sparse_float, Storage::dense,
                                           Storage::dense_float};

enum class Zeros { left_out, explicit_entries };  // in sparse storage

template <class Value>
Rows sparse_rows(const Matrix& matrix, std::size_t width, Zeros zeros) {
  struct Arrays {
    std::vector<std::uint64_t> offsets{0};
    std::vector<std::uint32_t> columns;
    std::vector<Value> values;
  };
  auto arrays = std::make_shared<Arrays>();
  for (const auto& row : matrix) {
    for (std::size_t j = 0; j < row.size(); ++j) {
      if (row[j] == 0 && zeros == Zeros::left_out) continue;
      arrays->columns.push_back(static_cast<std::uint32_t>(j));
      arrays->values.push_back(static_cast<Value>(row[j]));
    }
    arrays->offsets.push_back(arrays->values.size());
  }
  const Arrays& a = *arrays;
  return SparseRows<Value>(width, a.offsets, a.columns, a.values, std::move(arrays));
}

template <class Value>
Rows dense_rows(const Matrix& matrix, std::size_t width) {
  auto values = std::make_shared<std::vector<Value>>();
  for (const auto& row : matrix)
    for (const double value : row) values->push_back(static_cast<Value>(value));
  const std::vector<Value>& view = *values;
  return DenseRows<Value>(matrix.size(), width, view, std::move(values));
}

inline Dataset table(const Matrix& matrix, Storage storage = Storage::sparse, Zeros zeros = Zeros::left_out) {
  const std::size_t width = matrix.empty() ? 0 : matrix[0].size();
  const auto rows = [&]() -> Rows {
    switch (storage) {
      case Storage::sparse:
        return sparse_rows<double>(matrix, width, zeros);
      case Storage::sparse_float:
        return sparse_rows<float>(matrix, width, zeros);
      case Storage::dense:
        return dense_rows<double>(matrix, width);
      default:
        return dense_rows<float>(matrix, width);
    }
  };
  Dataset data{.rows = rows(), .labels = std::vector<double>(matrix.size(), 1.0)};
  for (const auto& row : matrix)
    for (const double value : row) data.nnz += value != 0 || zeros == Zeros::explicit_entries;
  return data;
}

inline Matrix matrix_of(const Dataset& data) {
  Matrix matrix(data.n(), std::vector<double>(data.d()));
  std::visit(
      [&](const auto& rows) {
        for (std::size_t i = 0; i < rows.count(); ++i)
          for_each(rows.row(i), [&](std::size_t j, double value) { matrix[i][j] = value; });
      },
      data.rows);
  return matrix;
}

}  // namespace seesaw::test
