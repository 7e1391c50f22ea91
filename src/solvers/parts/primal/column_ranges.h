// Ranges of columns with about the same number of entries, and the part of a row inside one: updates along rows can run
// in parallel over ranges. Every column receives its updates in the order of the rows, so the result does not depend on
// the number of ranges.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "data/rows.h"

namespace seesaw {

class ColumnRanges {
 public:
  // One pass over the columns of all entries if the rows are sparse and count > 1.
  template <class RowStorage>
  ColumnRanges(const RowStorage& rows, std::size_t count) : bounds_(std::max<std::size_t>(count, 1) + 1) {
    const std::size_t width = rows.width();
    for (std::size_t range = 0; range < bounds_.size(); ++range) bounds_[range] = width * range / this->count();
    if constexpr (requires { rows.row(0).column; }) {
      if (count <= 1) return;
      std::vector<std::size_t> entries(width);
      for (std::size_t i = 0; i < rows.count(); ++i)
        for_each(rows.row(i), [&](std::size_t j, double) { ++entries[j]; });
      std::size_t before = 0, range = 1;
      for (std::size_t j = 0; j < width && range < count; before += entries[j++])
        while (range < count && before + entries[j] > rows.entries() * range / count) bounds_[range++] = j + 1;
    }
  }

  std::size_t count() const { return bounds_.size() - 1; }
  std::size_t begin(std::size_t range) const { return bounds_[range]; }
  std::size_t end(std::size_t range) const { return bounds_[range + 1]; }

 private:
  std::vector<std::size_t> bounds_;
};

// The entries of a row in the columns begin .. end - 1, and what to add to the columns of `row` to obtain theirs.
template <class Row>
struct PartOfRow {
  Row row;
  std::size_t first_column;
};
template <class Value, class Column>
PartOfRow<SparseRow<Value, Column>> part_of(SparseRow<Value, Column> a, std::size_t begin, std::size_t end) {
  const Column* const from = std::lower_bound(a.column, a.column + a.size, begin);
  const Column* const to = std::lower_bound(from, a.column + a.size, end);
  return {{from, a.value + (from - a.column), static_cast<std::size_t>(to - from)}, 0};
}
template <class Value>
PartOfRow<DenseRow<Value>> part_of(DenseRow<Value> a, std::size_t begin, std::size_t end) {
  return {{a.value + begin, end - begin}, begin};
}

}  // namespace seesaw
