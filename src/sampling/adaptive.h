// Adaptive importance sampling, updated after every step: rows whose dual variables changed much in their last step are
// drawn more often (SPDC-AIS: Liu, Wang & So, Adaptive Coordinate Sampling for Stochastic Primal-Dual Optimization):
//
//   p_i = (1 - delta) / m + delta c_i / sum c     over the m listed rows,
//   c_i = size_i^kappa of the last feedback of row i, 1 before the first.
//
// delta increases linearly from delta_begin to delta_end over the first `ramp` draws; a draw counts at its feedback.
// Cost per draw: one descent of the sum tree (with probability delta); per feedback: the sums on one path to the root.
//
// With delta = 0 the rows are exactly those of a UniformSampler with the same Rng: the choice between the two parts
// uses a random number only if delta > 0, and the uniform part draws as UniformSampler does.
#pragma once

#include <vector>

#include "base/rng.h"
#include "sampling/sampler.h"
#include "sampling/sum_tree.h"

namespace seesaw {

struct Adaptivity {
  double delta_begin = 0.2, delta_end = 0.8;  // both in [0, 1]
  std::uint64_t ramp = 0;                     // draws; 0: delta_end from the start
  double kappa = 0.5;
};

class AdaptiveSampler final : public Sampler {
 public:
  AdaptiveSampler(std::vector<std::uint32_t> rows, const Adaptivity& adaptivity, Rng rng);
  void fill(std::span<std::uint32_t> block) override;
  double probability(std::uint32_t row) const override;
  void feedback(std::uint32_t row, double size) override;
  std::size_t block() const override { return 1; }

  double delta() const { return delta_; }  // of the next draw

 private:
  double ramped() const;

  std::vector<std::uint32_t> rows_;
  Adaptivity adaptivity_;
  SumTree scores_;  // indexed by row: 0 for rows that are not listed
  std::uint64_t fed_back_ = 0;
  double delta_;
  Rng rng_;
};

}  // namespace seesaw
