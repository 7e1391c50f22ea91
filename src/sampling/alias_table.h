// Draws rows with given probabilities in O(1): Walker's alias table, built in O(n) by one sweep.
//
// There is one cell a row, each of mass 1/n. A cell belongs to its row as far as `threshold` says, in units of 2^-64,
// and to its alias above. One random word w is enough for both questions: the 128-bit product w n has the cell in its
// upper half and the place within the cell in its lower half. A part of a cell of mass m is hit by 2^64 m words, give
// or take one, so that no probability is off by more than 2^-64 a part: for 2^32 rows, by no more than 2^-32 of 1/n.
// A draw reads one cell of 16 bytes, and does not branch.
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

  // Weights of the listed rows: none negative, with a sum that is finite and not as small as 1e-300. Returns the
  // sum. A row of weight 0 is never drawn, whatever the rounding. Allocates only for more rows than ever before.
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
