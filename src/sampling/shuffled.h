// Draws without replacement: a new random permutation of the listed rows per pass. probability() is 1/m, that of one
// position of a random permutation. Shuffling costs half a random word and one swap per row.
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
