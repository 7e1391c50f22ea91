// Draws with replacement from a mixture of uniform and given weights (the "Lipschitz" sampling of Liu, Wang & So):
//
//   p_i = (1 - delta) / m + delta w_i / sum w     over the m listed rows,
//
// where delta increases linearly from delta_begin to delta_end over the first `ramp` draws; a draw counts at its feedback.
// Cost per draw: two random words and one cache line.
#pragma once

#include <vector>

#include "base/rng.h"
#include "sampling/alias_table.h"
#include "sampling/sampler.h"

namespace seesaw {

struct Ramp {
  double delta_begin = 0.2, delta_end = 0.8;  // both in [0, 1]
  std::uint64_t draws = 0;                    // 0: delta_end from the start

  double delta(std::uint64_t draw) const {
    if (draw >= draws) return delta_end;
    return delta_begin + (delta_end - delta_begin) * static_cast<double>(draw) / static_cast<double>(draws);
  }
};

class RampedSampler final : public Sampler {
 public:
  // One weight per listed row, not all zero. The rows are distinct.
  RampedSampler(std::vector<std::uint32_t> rows, const std::vector<double>& weights, const Ramp& ramp, Rng rng);
  void fill(std::span<std::uint32_t> block) override;
  double probability(std::uint32_t row) const override;
  void feedback(std::uint32_t row, double size) override;
  std::size_t block() const override { return fed_back_ < ramp_.draws ? 1 : unlimited; }

 private:
  std::vector<std::uint32_t> rows_;
  std::vector<double> weight_;  // indexed by row, with the sum 1; -1 for rows that are not listed
  Ramp ramp_;
  std::uint64_t fed_back_ = 0;
  double delta_;
  AliasTable by_weight_;
  Rng rng_;
};

}  // namespace seesaw
