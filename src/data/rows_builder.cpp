#include "data/rows_builder.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "base/parallel.h"
#include "data/narrow.h"
#include "data/own_rows.h"
#include "seesaw/error.h"

namespace seesaw {
namespace {

// When one array is filled from another, the pages already read are released in this many steps.
constexpr std::size_t steps = 64;

// Products read a row by its columns in parts, and write to them in groups: a column that occurs twice would lose an entry.
void check_order(std::span<const std::uint32_t> row, std::size_t number) {
  std::size_t wrong = 0;  // no branch: vectorized
  for (std::size_t k = 1; k < row.size(); ++k) wrong += row[k] <= row[k - 1];
  if (wrong == 0) return;
  std::size_t k = 1;
  while (row[k] > row[k - 1]) ++k;
  throw Error(fmt::format("row {}: column {} follows column {} (counted from 0); columns must increase strictly.",
                          number, row[k], row[k - 1]));
}

}  // namespace

void RowsBuilder::add_row(std::span<const std::uint32_t> columns, std::span<const double> values) {
  const auto size = static_cast<std::uint32_t>(columns.size());
  add_rows({&size, 1}, columns, values);
}

void RowsBuilder::add_rows(std::span<const std::uint32_t> sizes, std::span<const std::uint32_t> columns,
                           std::span<const double> values) {
  if (sizes.empty()) return;
  const std::size_t rows_before = rows();
  const std::size_t entries_before = entries();
  for (std::size_t i = 0, begin = 0; i < sizes.size(); begin += sizes[i++])
    check_order(columns.subspan(begin, sizes[i]), rows_before + i);
  const std::size_t first_size = rows_before > 0 ? offsets_[1] : sizes[0];
  offsets_.resize(rows_before + 1 + sizes.size());
  std::size_t end = 0;
  bool full = true;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    end += sizes[i];
    offsets_[rows_before + 1 + i] = entries_before + end;
    // Columns increase, so the row has no gap if and only if its size is its last column + 1.
    const std::size_t row_width = sizes[i] > 0 ? std::size_t{columns[end - 1]} + 1 : 0;
    full = full && sizes[i] == first_size && row_width == first_size;
    width_ = std::max(width_, row_width);
  }
  if (full_ && !full) hold_columns(entries_before);
  if (!full_) columns_.append(columns);
  add_values(values);
}

// Writes out the columns of the rows so far, all of which are full.
void RowsBuilder::hold_columns(std::size_t entries) {
  columns_.resize(entries);
  for (auto* row = columns_.begin(); row < columns_.end(); row += offsets_[1]) std::iota(row, row + offsets_[1], 0u);
  full_ = false;
}

void RowsBuilder::add_values(std::span<const double> values) {
  if (!wide_) {
    const std::size_t before = singles_.size();
    singles_.resize(before + values.size());
    const bool exact = round_all(values.data(), values.size(), singles_.data() + before);
    if (exact) return;
    if (precision_ == Precision::single) return check_range(values, singles_.data() + before);
    singles_.resize(before);
    widen();
  }
  doubles_.append(values);
}

void RowsBuilder::widen() {
  doubles_.resize(singles_.size());
  const Chunks chunks = chunks_of(singles_.size(), 1 << 16, steps);
  for (std::size_t chunk = 0; chunk < chunks.count; ++chunk) {
    std::copy(singles_.data() + chunks.begin(chunk), singles_.data() + chunks.end(chunk),
              doubles_.data() + chunks.begin(chunk));
    singles_.release_front(chunks.end(chunk));
  }
  singles_ = {};
  wide_ = true;
}

void RowsBuilder::Shape::add(const Shape& other) {
  if (other.rows == 0) return;
  full = full && other.full && (rows == 0 || size_of_rows == other.size_of_rows);
  size_of_rows = other.size_of_rows;
  wide = wide || other.wide;
  width = std::max(width, other.width);
  rows += other.rows;
  entries += other.entries;
}

RowsBuilder::Shape RowsBuilder::shape() const {
  return {wide_, full_, width_, rows() > 0 ? offsets_[1] : 0, rows(), entries()};
}

Rows RowsBuilder::finish(std::size_t width, Precision precision, const Shape& all) && {
  if (width == 0) width = all.width;
  if (width < all.width) throw Error(fmt::format("there are {} features where {} were expected.", all.width, width));
  if (precision == Precision::single && wide_) {
    singles_ = narrowed(std::move(doubles_));
    wide_ = false;
  } else if (precision != Precision::single && all.wide && !wide_) {
    widen();
  }
  return wide_ ? arrange(width, all, std::move(doubles_)) : arrange(width, all, std::move(singles_));
}

template <class Value>
Rows RowsBuilder::arrange(std::size_t width, const Shape& all, Buffer<Value> values) {
  const std::size_t n = rows();
  if (all.full && all.width > 0 && width == all.width) {
    values.shrink_to_fit();
    return own_dense_rows(n, width, std::move(values));
  }
  if (full_) hold_columns(entries());
  const std::size_t sparse_bytes = all.entries * (sizeof(Value) + sizeof(std::uint32_t));
  // rows * width * sizeof(Value) <= sparse_bytes, without the overflow.
  const bool dense = all.rows > 0 && width > 0 && width <= sparse_bytes / (all.rows * sizeof(Value));
  if (!dense) {
    offsets_.shrink_to_fit();
    columns_.shrink_to_fit();
    values.shrink_to_fit();
    return own_sparse_rows(width, std::move(offsets_), std::move(columns_), std::move(values));
  }
  Buffer<Value> filled(n * width);
  const Chunks slabs = chunks_of(n, 1, steps);
  for (std::size_t slab = 0; slab < slabs.count; ++slab) {
    const std::size_t first = slabs.begin(slab);
    const Chunks chunks = chunks_of(slabs.end(slab) - first, 65536 / width + 1);
    parallel_chunks(chunks, [&](std::size_t, std::size_t begin, std::size_t end) {
      std::fill(filled.data() + (first + begin) * width, filled.data() + (first + end) * width, Value{0});
      for (std::size_t i = first + begin; i < first + end; ++i)
        for (std::size_t k = offsets_[i]; k < offsets_[i + 1]; ++k) filled[i * width + columns_[k]] = values[k];
    });
    columns_.release_front(offsets_[slabs.end(slab)]);
    values.release_front(offsets_[slabs.end(slab)]);
  }
  return own_dense_rows(n, width, std::move(filled));
}

}  // namespace seesaw
