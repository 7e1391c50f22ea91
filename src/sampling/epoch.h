// Adaptive importance sampling, updated between passes: rows whose dual variables changed much in their last step are
// drawn more often. As many passes as AdaptiveSampler at a few times lower cost per draw (alias table, not sum tree).
//
//   p_i = (1 - delta) p0_i + delta c_i / sum c     over the listed rows, fixed at the end of each pass,
//   c_i = size_i^kappa of the last feedback of row i, 1 before the first.
//
// Cost: one random word and one cache line per draw, one store per feedback, O(n) per pass for a new alias table. With
// delta = 0 the rows are exactly those of an AliasSampler of p0 with the same Rng.
#pragma once

#include <vector>

#include "sampling/importance.h"
#include "sampling/score.h"

namespace seesaw {

struct EpochAdaptivity {
  double delta = 0.5;  // in [0, 1]
  double kappa = 0.5;
};

class EpochSampler final : public Sampler {
 public:
  // p0: one probability per listed row, up to a common factor; not all zero. The rows are distinct.
  EpochSampler(std::vector<std::uint32_t> rows, std::span<const double> p0, const EpochAdaptivity& adaptivity, Rng rng);
  void reset(std::span<const double> p0);  // keeps the scores
  void fill(std::span<std::uint32_t> block) override { alias_.fill(block); }
  double probability(std::uint32_t row) const override { return alias_.probability(row); }
  void feedback(std::uint32_t row, double size) override { scores_[row] = score(size, adaptivity_.kappa); }
  void end_pass() override;

 private:
  EpochAdaptivity adaptivity_;
  std::vector<double> p0_, mixed_;  // indexed by position in the list
  double p0_total_;
  std::vector<double> scores_;  // indexed by row
  AliasSampler alias_;
};

}  // namespace seesaw
