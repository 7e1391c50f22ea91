// Some of the rows, as rows of their own, in the same storage.
#pragma once

#include <cstdint>
#include <span>

#include "data/rows.h"

namespace seesaw {

Rows select_rows(const Rows& rows, std::span<const std::uint32_t> which);

}  // namespace seesaw
