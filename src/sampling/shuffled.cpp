#include "sampling/shuffled.h"

#include <utility>

namespace seesaw {

ShuffledSampler::ShuffledSampler(std::vector<std::uint32_t> rows, Rng rng)
    : rows_(std::move(rows)), next_(rows_.size()), listed_(rows_), rng_(rng) {}

void ShuffledSampler::fill(std::span<std::uint32_t> block) {
  for (std::uint32_t& row : block) {
    if (next_ == rows_.size()) {
      rng_.shuffle(std::span(rows_));
      next_ = 0;
    }
    row = rows_[next_++];
  }
}

double ShuffledSampler::probability(std::uint32_t row) const {
  return listed_.contains(row) ? 1 / static_cast<double>(rows_.size()) : 0;
}

}  // namespace seesaw
