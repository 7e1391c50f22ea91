// A copy of a subset of the rows, in the same storage format.
#pragma once

#include <cstdint>
#include <span>

#include "data/rows.h"

namespace seesaw {

Rows select_rows(const Rows& rows, std::span<const std::uint32_t> which);

}  // namespace seesaw
