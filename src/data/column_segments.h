// Sparse rows by columns, cut at the leaves of the rows: a segment has the entries of one column in the rows of one leaf.
// For products by some of the columns, without copying them, and for rows with few entries: a loop over short rows
// mispredicts a branch per row, one over segments per segment. Copies share the entries.
//
//     multiply_transposed    the bits of multiply_transposed() for rows of these columns (data/dataset.h)
//     multiply               z_i = sum_j x_j a_ij in the order of the columns; columns with x_j = 0 are not read
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "data/rows.h"

namespace seesaw {

class ColumnSegments {
 public:
  explicit ColumnSegments(const Rows& rows);  // sparse, in memory

  // Whether the rows are sparse, and segments have 16 entries on average, so that reading them costs little beside their
  // entries.
  static bool suit(const Rows& rows);

  ColumnSegments select(std::vector<std::uint32_t> columns) const;  // of the rows; ascending
  std::size_t entries() const { return all_entries_; }              // of the selected columns, of all processes

  void multiply_transposed(const double* y, double* v) const;
  void multiply(const double* x, double* z) const;
  Rows rows() const;  // the selected columns, by rows; one process

 private:
  using Segments = std::variant<SparseRows<double>, SparseRows<float>>;

  // Positions in segments_ of a leaf.
  std::size_t segment(std::size_t leaf, std::size_t k) const { return leaf * width_ + columns_[k]; }
  std::size_t order_by_size();
  template <class Value>
  Rows rows_of(const SparseRows<Value>& segments) const;

  Segments segments_;  // row leaf width + j: the rows of the leaf with column j, and their values
  std::shared_ptr<const Leaves> leaves_;
  std::size_t width_;                   // columns of all segments
  std::vector<std::uint32_t> columns_;  // the selected ones
  std::vector<std::uint32_t> by_size_;  // positions in columns_, the longest first: neighbours are of similar length
  std::size_t entries_, all_entries_;   // all: of all processes
};

}  // namespace seesaw
