// Collects parsed entries row by row and ends as the storage that suits them: float where that is exact (or asked for),
// dense where that is smaller. The peak stays near the result, at most about twice of it: columns are held from the
// first row with a gap, values as double from the first that is no float, buffers grow by moving pages, narrowing is in
// place, and pages of the sparse form go back to the system while the dense form fills.
#pragma once

#include <cstdint>
#include <span>

#include "base/buffer.h"
#include "data/rows.h"

namespace seesaw {

enum class Precision { exact, single };  // exact: float only where no value changes; single: always float

class RowsBuilder {
 public:
  // Precision::single rounds values as they come, so that they are never held as double.
  explicit RowsBuilder(Precision precision = Precision::exact) : precision_(precision) { offsets_.push_back(0); }

  // One whole row; columns strictly increasing, counted from 0.
  void add_row(std::span<const std::uint32_t> columns, std::span<const double> values);
  // Many rows at once: `sizes` entries of each row, all entries behind one another.
  void add_rows(std::span<const std::uint32_t> sizes, std::span<const std::uint32_t> columns,
                std::span<const double> values);

  std::size_t rows() const { return offsets_.size() - 1; }
  std::size_t entries() const { return offsets_[rows()]; }

  // Ends the building. width = 0: the largest column decides. Throws Error where single precision is asked for and a
  // value is too large for it.
  Rows finish(std::size_t width, Precision precision) &&;

 private:
  void hold_columns(std::size_t entries);
  void add_values(std::span<const double> values);
  void widen();
  void narrow();
  template <class Value>
  Rows arrange(std::size_t width, Buffer<Value> values);

  Precision precision_;
  bool full_ = true;  // all rows have the same size and no gap, so that columns_ is not needed and empty
  bool wide_ = false;
  std::size_t width_ = 0;  // largest column + 1
  Buffer<std::uint64_t> offsets_;
  Buffer<std::uint32_t> columns_;
  Buffer<float> singles_;   // the values while wide_ is false
  Buffer<double> doubles_;  // the values once it is true
};

}  // namespace seesaw
