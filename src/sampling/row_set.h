// Whether a row is listed: one bit per row.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace seesaw {

// The length of an array that is indexed by the listed rows.
inline std::size_t length_for(std::span<const std::uint32_t> rows) {
  return rows.empty() ? 0 : std::size_t{1} + *std::max_element(rows.begin(), rows.end());
}

class RowSet {
 public:
  explicit RowSet(std::span<const std::uint32_t> rows) : listed_(length_for(rows)) {
    for (std::uint32_t row : rows) listed_[row] = true;
  }
  bool contains(std::uint32_t row) const { return row < listed_.size() && listed_[row]; }

 private:
  std::vector<bool> listed_;
};

}  // namespace seesaw
