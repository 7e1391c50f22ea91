// Draws with replacement, each listed row with its own probability. Cost per draw: one random word and one cache line.
#pragma once

#include <vector>

#include "base/rng.h"
#include "sampling/alias_table.h"
#include "sampling/sampler.h"

namespace seesaw {

class AliasSampler final : public Sampler {
 public:
  // One probability per listed row, up to a common factor; not all zero. The rows are distinct. Where one of them has
  // overflowed (extreme data), all rows are drawn alike.
  AliasSampler(std::vector<std::uint32_t> rows, std::span<const double> probabilities, Rng rng);
  void reset(std::span<const double> probabilities);  // O(n), without allocation

  void fill(std::span<std::uint32_t> block) override;
  double probability(std::uint32_t row) const override { return row < probability_.size() ? probability_[row] : 0; }

  std::span<const std::uint32_t> rows() const { return rows_; }

 private:
  std::vector<std::uint32_t> rows_;
  std::vector<double> probability_;  // indexed by row
  AliasTable table_;
  Rng rng_;
};

}  // namespace seesaw
