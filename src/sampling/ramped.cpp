#include "sampling/ramped.h"

#include <utility>

#include "sampling/row_set.h"

namespace seesaw {

RampedSampler::RampedSampler(std::vector<std::uint32_t> rows, const std::vector<double>& weights, const Ramp& ramp,
                             Rng rng)
    : rows_(std::move(rows)), weight_(length_for(rows_), -1.0), ramp_(ramp), delta_(ramp.delta(0)), rng_(rng) {
  const double total = by_weight_.build(rows_, weights);
  for (std::size_t k = 0; k < rows_.size(); ++k) weight_[rows_[k]] = weights[k] / total;
}

void RampedSampler::fill(std::span<std::uint32_t> block) {
  const auto size = static_cast<std::uint32_t>(rows_.size());
  for (std::uint32_t& row : block)
    row = delta_ > 0 && rng_.uniform() < delta_ ? by_weight_.draw(rng_.bits()) : rows_[rng_.below(size)];
}

double RampedSampler::probability(std::uint32_t row) const {
  if (!(row < weight_.size() && weight_[row] >= 0)) return 0;
  return (1 - delta_) / static_cast<double>(rows_.size()) + delta_ * weight_[row];
}

void RampedSampler::feedback(std::uint32_t /*row*/, double /*size*/) {
  if (fed_back_ < ramp_.draws) delta_ = ramp_.delta(++fed_back_);
}

}  // namespace seesaw
