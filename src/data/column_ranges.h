// Ranges of columns for the threads that work on one leaf together: needed where the leaves are fewer than the threads,
// as for data with many features per entry. Every column is summed in the order of the rows whatever the ranges, so these
// may depend on the number of threads.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/tree_sum.h"
#include "data/rows.h"

namespace seesaw {

// The rows, with the entries in [from, to) alone.
template <class RowsOf>
struct ColumnRange {
  const RowsOf& rows;
  std::size_t from, to;

  auto row(std::size_t i) const {
    const auto a = rows.row(i);
    const std::size_t first = position(a, from), last = first + position(part(a, first, a.size), to);
    return part(a, first, last);
  }
  std::size_t width() const { return rows.width(); }

 private:
  template <class Row>
  static Row part(Row a, std::size_t first, std::size_t last) {
    return {a.column + first, a.value + first, last - first};
  }
  template <class Row>
  static std::size_t position(Row a, std::size_t column) {  // of the first entry in this column or beyond
    const auto* first = a.column;
    std::size_t size = a.size;
    if (size == 0) return 0;
    while (size > 1) {  // no branch: where the column is cannot be predicted
      const std::size_t half = size / 2;
      first += first[half - 1] < column ? half : 0;
      size -= half;
    }
    return static_cast<std::size_t>(first - a.column) + (*first < column);
  }
};

// The rows of a leaf: all from begin to end - 1, or those at these positions of a list.
struct RowRange {
  std::size_t begin, end;
  std::size_t operator[](std::size_t i) const { return i; }
};
struct ListedRange {
  std::span<const std::uint32_t> which;
  std::size_t begin, end;
  std::size_t operator[](std::size_t k) const { return which[k]; }
};

// Borders of `parts` ranges with about the same number of entries each, from a sample of the rows.
template <class RowsOf, class Range>
std::vector<std::size_t> balanced_columns(const RowsOf& rows, const Range& range, std::size_t parts) {
  std::vector<std::size_t> columns;
  const std::size_t step = (range.end - range.begin) / 256 + 1;
  for (std::size_t k = range.begin; k < range.end; k += step) {
    const auto a = rows.row(range[k]);
    for (std::size_t at = k % 7; at < a.size; at += 7) columns.push_back(a.column[at]);
  }
  std::sort(columns.begin(), columns.end());
  std::vector<std::size_t> borders{0};
  for (std::size_t part = 1; part < parts; ++part) {
    const std::size_t border = columns.empty() ? 0 : columns[columns.size() * part / parts];
    if (border > borders.back()) borders.push_back(border);
  }
  borders.push_back(rows.width());
  return borders;
}

// body(rows) once, or in parallel for each of several ranges of columns of sparse rows. `leaves`: how many there are.
// Short rows are not divided: finding the range in each would cost more than the sum.
template <class RowsOf, class Range, class Body>
void in_column_ranges(const RowsOf& rows, const Range& range, std::size_t leaves, const Body& body) {
  if constexpr (requires(typename RowsOf::Row a) { a.column; }) {
    const std::size_t threads = available_threads(), per_row = rows.entries() / std::max<std::size_t>(rows.count(), 1);
    if (threads > 1 && leaves < 4 * threads && per_row >= 16 * threads &&
        per_row * (range.end - range.begin) >= leaf_size) {
      const std::vector<std::size_t> borders = balanced_columns(rows, range, threads);
      return parallel_inside(borders.size() - 1, [&](std::size_t part) {
        body(ColumnRange<RowsOf>{rows, borders[part], borders[part + 1]});
      });
    }
  }
  body(rows);
}

// Rows per task of a loop with one product per row: about 32768 entries, fewer do not repay the cost of a task.
template <class RowsOf>
std::size_t rows_per_task(const RowsOf& rows) {
  const std::size_t n = std::max<std::size_t>(rows.count(), 1);
  return 32768 / std::max<std::size_t>(rows.entries() / n, 1);
}

}  // namespace seesaw
