// Batches: every call of fill() draws a uniformly random subset of block.size() distinct rows, by the first steps of a
// Fisher-Yates shuffle. O(batch). probability() is 1/m, that of one position of the batch.
#pragma once

#include <utility>
#include <vector>

#include "base/rng.h"
#include "sampling/row_set.h"
#include "sampling/sampler.h"

namespace seesaw {

class SubsetSampler final : public Sampler {
 public:
  SubsetSampler(std::vector<std::uint32_t> rows, Rng rng) : rows_(std::move(rows)), listed_(rows_), rng_(rng) {}

  void fill(std::span<std::uint32_t> block) override {
    for (std::size_t k = 0; k < block.size(); ++k) {
      const auto left = static_cast<std::uint32_t>(rows_.size() - k);
      std::swap(rows_[k], rows_[k + rng_.below(left)]);
      block[k] = rows_[k];
    }
  }
  double probability(std::uint32_t row) const override {
    return listed_.contains(row) ? 1 / static_cast<double>(rows_.size()) : 0;
  }
  std::size_t block() const override { return rows_.size(); }

 private:
  std::vector<std::uint32_t> rows_;
  RowSet listed_;
  Rng rng_;
};

}  // namespace seesaw
