// A working copy of the rows with as few bytes per entry as the data allows: values as float, 16-bit columns where
// d <= 65536. For methods that visit rows in random order thousands of times and are limited by memory bandwidth;
// certificates never use it.
//
// If some value is not representable as float, the copy differs from the data: relative error at most 2^-24 per entry.
#pragma once

#include <cstdint>
#include <optional>
#include <variant>

#include "data/rows.h"

namespace seesaw {

// The original rows, or a compact copy.
using WorkingRows = std::variant<SparseRows<double>, SparseRows<float>, DenseRows<double>, DenseRows<float>,
                                 SparseRows<float, std::uint16_t>>;

WorkingRows working_view(const Rows& rows);  // the original rows, without copying

struct CompactRows {
  WorkingRows rows;
  bool exact;  // every value is representable as float
};

// nullopt if the rows are compact already, or if a value is outside the range of float. One parallel pass over the
// entries.
std::optional<CompactRows> compact_copy(const Rows& rows);

}  // namespace seesaw
