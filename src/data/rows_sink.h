// Where a reader of text puts its rows instead of into memory.
#pragma once

#include <cstdint>
#include <span>

namespace seesaw {

class RowsSink {
 public:
  virtual ~RowsSink() = default;
  // Rows in their order: `sizes` has the number of entries per row, the entries are contiguous.
  virtual void add(std::span<const double> labels, std::span<const std::uint32_t> sizes,
                   std::span<const std::uint32_t> columns, std::span<const double> values) = 0;
  virtual std::size_t rows() const = 0;
};

}  // namespace seesaw
