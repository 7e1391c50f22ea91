#include "sampling/importance.h"

#include <utility>

#include "sampling/row_set.h"

namespace seesaw {

AliasSampler::AliasSampler(std::vector<std::uint32_t> rows, std::span<const double> probabilities, Rng rng)
    : rows_(std::move(rows)), probability_(length_for(rows_)), rng_(rng) {
  reset(probabilities);
}

void AliasSampler::reset(std::span<const double> probabilities) {
  const double total = table_.build(rows_, probabilities);
  for (std::size_t k = 0; k < rows_.size(); ++k) probability_[rows_[k]] = probabilities[k] / total;
}

void AliasSampler::fill(std::span<std::uint32_t> block) {
  for (std::uint32_t& row : block) row = table_.draw(rng_.bits());
}

}  // namespace seesaw
