// Draws with replacement, every listed row with the same probability. Cost per draw: half a random word.
#pragma once

#include <vector>

#include "base/rng.h"
#include "sampling/row_set.h"
#include "sampling/sampler.h"

namespace seesaw {

class UniformSampler final : public Sampler {
 public:
  UniformSampler(std::vector<std::uint32_t> rows, Rng rng);
  void fill(std::span<std::uint32_t> block) override;
  double probability(std::uint32_t row) const override;
  Rng& generator() { return rng_; }  // its state, to be saved and restored

 private:
  std::vector<std::uint32_t> rows_;
  RowSet listed_;
  Rng rng_;
};

}  // namespace seesaw
