#include <algorithm>
#include <utility>

#include "sampling/sampler.h"

namespace seesaw {
namespace {

double share_if_listed(const std::vector<std::uint32_t>& rows, std::uint32_t row) {
  const bool listed = std::find(rows.begin(), rows.end(), row) != rows.end();
  return listed ? 1 / static_cast<double>(rows.size()) : 0;
}

}  // namespace

UniformSampler::UniformSampler(std::vector<std::uint32_t> rows, Rng rng) : rows_(std::move(rows)), rng_(rng) {}

void UniformSampler::fill(std::span<std::uint32_t> block) {
  const auto size = static_cast<std::uint32_t>(rows_.size());
  for (std::uint32_t& row : block) row = rows_[rng_.below(size)];
}

double UniformSampler::probability(std::uint32_t row) const { return share_if_listed(rows_, row); }

ShuffledSampler::ShuffledSampler(std::vector<std::uint32_t> rows, Rng rng)
    : rows_(std::move(rows)), next_(rows_.size()), rng_(rng) {}

void ShuffledSampler::fill(std::span<std::uint32_t> block) {
  for (std::uint32_t& row : block) {
    if (next_ == rows_.size()) {
      rng_.shuffle(std::span(rows_));
      next_ = 0;
    }
    row = rows_[next_++];
  }
}

double ShuffledSampler::probability(std::uint32_t row) const { return share_if_listed(rows_, row); }

}  // namespace seesaw
