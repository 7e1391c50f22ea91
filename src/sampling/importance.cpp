#include "sampling/importance.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "sampling/row_set.h"

namespace seesaw {

AliasSampler::AliasSampler(std::vector<std::uint32_t> rows, std::span<const double> probabilities, Rng rng)
    : rows_(std::move(rows)), probability_(length_for(rows_)), rng_(rng) {
  reset(probabilities);
}

void AliasSampler::reset(std::span<const double> probabilities) {
  std::vector<double> even;
  if (!std::all_of(probabilities.begin(), probabilities.end(), [](double p) { return p < 1e300; })) {  // inf or NaN
    even.assign(rows_.size(), 1.0);
    probabilities = even;
  }
  const double total = table_.build(rows_, probabilities);
  for (std::size_t k = 0; k < rows_.size(); ++k) probability_[rows_[k]] = probabilities[k] / total;
}

void AliasSampler::fill(std::span<std::uint32_t> block) {
  for (std::uint32_t& row : block) row = table_.draw(rng_.bits());
}

}  // namespace seesaw
