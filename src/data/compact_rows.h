// A working copy of the rows with as few bytes an entry as the data allows: values as floats, columns of 16 bits where
// d < 65536. For methods that visit rows in random order thousands of times and wait for memory; certificates never
// see it.
//
// Where some value is not a float, the copy is other data: every entry is off by at most 2^-24 of itself.
#pragma once

#include <cstdint>
#include <optional>
#include <variant>

#include "data/rows.h"

namespace seesaw {

// Rows as they are, or compact.
using WorkingRows = std::variant<SparseRows<double>, SparseRows<float>, DenseRows<double>, DenseRows<float>,
                                 SparseRows<float, std::uint16_t>>;

WorkingRows as_they_are(const Rows& rows);

struct CompactRows {
  WorkingRows rows;
  bool exact;  // every value is a float
};

// Nothing where the rows are compact already, or where a value is beyond the range of floats. One pass over the
// entries, in parallel.
std::optional<CompactRows> compact_copy(const Rows& rows);

}  // namespace seesaw
