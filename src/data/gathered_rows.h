// A selection of rows on disk, in memory, under the numbers that the rows have: rows of the same count, width, leaves and
// number of entries, of which only the selected ones may be accessed. Products of them have the same bits as those of
// the rows on disk, since everything that is divided by sizes is divided in the same way.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "data/rows.h"

namespace seesaw {

// which: ascending. nullopt: the rows are in memory, or the selection does not fit into the memory for copies. One read
// of the extents that have selected rows.
std::optional<Rows> gathered_rows(const Rows& rows, std::span<const std::uint32_t> which);

}  // namespace seesaw
