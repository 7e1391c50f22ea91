// Collects parsed entries row by row and selects the storage: float if that is exact (or requested), dense if that is
// smaller. Peak memory is at most about twice the result: columns are stored from the first row with a gap, values as
// double from the first one that is not a float, buffers grow by remapping pages, narrowing is in place, and pages of
// the sparse form are released while the dense form is filled.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/buffer.h"
#include "data/rows.h"
#include "seesaw/types.h"

namespace seesaw {

// The entries of one row of any storage.
struct RowEntries {
  std::vector<std::uint32_t> columns;
  std::vector<double> values;

  template <class Row>
  void take(Row row, bool zeros = false) {  // zeros: with the explicit ones
    columns.clear();
    values.clear();
    for_each(row, [&](std::size_t column, double value) {
      if (zeros || value != 0) push(column, value);
    });
  }
  void push(std::size_t column, double value) {
    columns.push_back(static_cast<std::uint32_t>(column));
    values.push_back(value);
  }
};

class RowsBuilder {
 public:
  // Precision::single rounds values when they are added, so that they are never stored as double.
  explicit RowsBuilder(Precision precision = Precision::exact) : precision_(precision) { offsets_.push_back(0); }

  // One whole row; columns strictly increasing, counted from 0; otherwise throws Error.
  void add_row(std::span<const std::uint32_t> columns, std::span<const double> values);
  void add_row(const RowEntries& row) { add_row(row.columns, row.values); }
  // Many rows: `sizes` has the number of entries per row, the entries are contiguous.
  void add_rows(std::span<const std::uint32_t> sizes, std::span<const std::uint32_t> columns,
                std::span<const double> values);

  std::size_t rows() const { return offsets_.size() - 1; }
  std::size_t entries() const { return offsets_[rows()]; }

  // What the storage depends on: of these rows, or of the rows of several processes together.
  struct Shape {
    bool wide = false, full = true;
    std::size_t width = 0, size_of_rows = 0;  // size_of_rows: of full rows
    std::size_t rows = 0, entries = 0;

    void add(const Shape& other);
  };
  Shape shape() const;

  // width = 0: the largest column determines the width. Throws Error if single precision is requested and a value is
  // too large for it.
  Rows finish(std::size_t width, Precision precision) && { return std::move(*this).finish(width, precision, shape()); }
  // The storage is that of `all`, the shape of the rows of all processes.
  Rows finish(std::size_t width, Precision precision, const Shape& all) &&;

 private:
  void hold_columns(std::size_t entries);
  void add_values(std::span<const double> values);
  void widen();
  template <class Value>
  Rows arrange(std::size_t width, const Shape& all, Buffer<Value> values);

  Precision precision_;
  bool full_ = true;  // all rows have the same size and no gap; columns_ is empty then
  bool wide_ = false;
  std::size_t width_ = 0;  // largest column + 1
  Buffer<std::uint64_t> offsets_;
  Buffer<std::uint32_t> columns_;
  Buffer<float> singles_;   // the values while wide_ is false
  Buffer<double> doubles_;  // the values once it is true
};

// All rows of a storage, in the smallest one. zeros: with the explicit ones.
template <class RowsOf>
Rows rebuilt_rows(const RowsOf& rows, std::size_t width, Precision precision, bool zeros) {
  RowsBuilder builder(precision);
  RowEntries row;
  for (std::size_t i = 0; i < rows.count(); ++i) {
    row.take(rows.row(i), zeros);
    builder.add_row(row);
  }
  return std::move(builder).finish(width, precision);
}

}  // namespace seesaw
