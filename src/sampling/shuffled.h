// Without replacement: a fresh random order of the listed rows for every pass, one pass behind another. The probability
// is that of a place in a pass before its order is known. Shuffling costs half a random word and a swap a row.
#pragma once

#include <vector>

#include "base/rng.h"
#include "sampling/row_set.h"
#include "sampling/sampler.h"

namespace seesaw {

class ShuffledSampler final : public Sampler {
 public:
  ShuffledSampler(std::vector<std::uint32_t> rows, Rng rng);
  void fill(std::span<std::uint32_t> block) override;
  double probability(std::uint32_t row) const override;

 private:
  std::vector<std::uint32_t> rows_;
  std::size_t next_;
  RowSet listed_;
  Rng rng_;
};

}  // namespace seesaw
