// Ideal importance sampling (Liu, Wang & So, (12)): probabilities from the current sizes of all rows, computed anew before
// each block of draws,
//
//   p_i = (1 - delta) / m + delta size_i^kappa / sum size^kappa     over the m listed rows, uniform before the first sizes.
//
// delta increases as in RampedSampler. Cost: O(m) per block for a new alias table.
#pragma once

#include <vector>

#include "sampling/importance.h"
#include "sampling/ramped.h"

namespace seesaw {

class RefreshedSampler final : public Sampler {
 public:
  // `block`: draws per refresh, at least 1. The rows are distinct.
  RefreshedSampler(std::vector<std::uint32_t> rows, const Ramp& ramp, double kappa, std::size_t block, Rng rng);
  void refresh(std::span<const double> sizes);  // indexed by row
  void fill(std::span<std::uint32_t> block) override { alias_.fill(block); }
  double probability(std::uint32_t row) const override { return alias_.probability(row); }
  void feedback(std::uint32_t /*row*/, double /*size*/) override { ++fed_back_; }
  std::size_t block() const override { return block_; }

 private:
  Ramp ramp_;
  double kappa_;
  std::size_t block_;
  std::uint64_t fed_back_ = 0;
  std::vector<double> mixed_;  // indexed by position in the list
  AliasSampler alias_;
};

}  // namespace seesaw
