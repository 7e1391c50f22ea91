#include "sampling/ramped.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace seesaw {

RampedSampler::RampedSampler(std::vector<std::uint32_t> rows, std::vector<double> weights, const Ramp& ramp, Rng rng)
    : weights_(std::move(weights)), mixed_(weights_), ramp_(ramp), alias_(std::move(rows), mixed_, rng) {
  const double total = std::accumulate(weights_.begin(), weights_.end(), 0.0);
  for (double& weight : weights_) weight /= total;
  mix();
}

void RampedSampler::end_pass() {
  if (passes_ >= ramp_.passes) return;
  passes_ += 1;
  mix();
}

void RampedSampler::mix() {
  const double risen = ramp_.passes > 0 ? std::min(1.0, passes_ / ramp_.passes) : 1;
  const double delta = ramp_.delta_begin + (ramp_.delta_end - ramp_.delta_begin) * risen;
  const double even = (1 - delta) / static_cast<double>(weights_.size());
  for (std::size_t k = 0; k < weights_.size(); ++k) mixed_[k] = even + delta * weights_[k];
  alias_.reset(mixed_);
}

}  // namespace seesaw
