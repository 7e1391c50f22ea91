// A selection of rows on disk that is too large for memory: in a temporary file beside the data, as rows on disk again.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "data/rows.h"

namespace seesaw {

// which: ascending. more: rows of the same storage, in memory, that follow. nullopt: the rows are in memory, or the
// selection fits into the memory for copies.
std::optional<Rows> spooled_rows(const Rows& rows, std::span<const std::uint32_t> which, const Rows* more = nullptr);

}  // namespace seesaw
