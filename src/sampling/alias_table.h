// Draws rows with given probabilities in O(1): Walker's alias table, built in O(n) in one pass.
//
// One cell per row, each of mass 1/n. Positions in a cell below `threshold` (in units of 2^-64) belong to its row,
// those above to its alias. One random word w determines both: the 128-bit product w n has the cell in its upper half
// and the position within the cell in its lower half. A part of a cell of mass m is hit by 2^64 m words, up to one, so
// that the error of a probability is at most 2^-64 per part: for 2^32 rows, at most 2^-32 of 1/n. A draw reads one cell
// of 16 bytes, without a branch.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace seesaw {

class AliasTable {
 public:
  struct alignas(16) Cell {
    std::uint64_t threshold;
    std::uint32_t rows[2];  // its own row, and the alias
  };

  // Weights of the listed rows: nonnegative, with a finite sum above 1e-300. Returns the sum. A row of weight 0 is never
  // drawn, whatever the rounding. Allocates only if there are more rows than in any earlier call.
  double build(std::span<const std::uint32_t> rows, std::span<const double> weights);

  std::uint32_t draw(std::uint64_t word) const {
    const auto place = static_cast<unsigned __int128>(word) * cells_.size();
    const Cell& cell = cells_[static_cast<std::size_t>(place >> 64)];
    return cell.rows[static_cast<std::uint64_t>(place) >= cell.threshold];
  }

  std::span<const Cell> cells() const { return cells_; }

 private:
  std::vector<Cell> cells_;
  std::vector<std::uint32_t> order_;  // scratch: the light cells from the front, the heavy ones from the back
};

}  // namespace seesaw
