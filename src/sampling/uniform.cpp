#include "sampling/uniform.h"

#include <utility>

namespace seesaw {

UniformSampler::UniformSampler(std::vector<std::uint32_t> rows, Rng rng)
    : rows_(std::move(rows)), listed_(rows_), rng_(rng) {}

void UniformSampler::fill(std::span<std::uint32_t> block) {
  const auto size = static_cast<std::uint32_t>(rows_.size());
  for (std::uint32_t& row : block) row = rows_[rng_.below(size)];
}

double UniformSampler::probability(std::uint32_t row) const {
  return listed_.contains(row) ? 1 / static_cast<double>(rows_.size()) : 0;
}

}  // namespace seesaw
