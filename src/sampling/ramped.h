// Draws with replacement from a mixture of uniform and given weights (the "Lipschitz" sampling of Liu, Wang & So):
//
//   p_i = (1 - delta) / m + delta w_i / sum w     over the m listed rows,
//
// where delta increases linearly from delta_begin to delta_end over the first `ramp` passes. Until then a new alias
// table per pass: O(m).
#pragma once

#include <vector>

#include "sampling/importance.h"

namespace seesaw {

struct Ramp {
  double delta_begin = 0.2, delta_end = 0.8;  // both in [0, 1]
  double passes = 0;                          // 0: delta_end from the start
};

class RampedSampler final : public Sampler {
 public:
  // One weight per listed row, not all zero. The rows are distinct.
  RampedSampler(std::vector<std::uint32_t> rows, std::vector<double> weights, const Ramp& ramp, Rng rng);
  void fill(std::span<std::uint32_t> block) override { alias_.fill(block); }
  double probability(std::uint32_t row) const override { return alias_.probability(row); }
  void end_pass() override;

 private:
  void mix();

  std::vector<double> weights_, mixed_;  // indexed by position in the list; the weights sum to 1
  Ramp ramp_;
  double passes_ = 0;
  AliasSampler alias_;
};

}  // namespace seesaw
