// The matrix of a subset of the columns.
#pragma once

#include <cstdint>
#include <span>

#include "data/rows.h"

namespace seesaw {

// Column which[k], in ascending order, becomes column k. One pass over the entries, in parallel.
Rows select_columns(const Rows& rows, std::span<const std::uint32_t> which);

inline std::size_t width_of(const Rows& rows) {
  return std::visit([](const auto& a) { return a.width(); }, rows);
}
inline std::size_t entries_of(const Rows& rows) {  // of all processes
  return std::visit([](const auto& a) { return all_entries(a); }, rows);
}

}  // namespace seesaw
