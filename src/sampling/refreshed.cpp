#include "sampling/refreshed.h"

#include <utility>

#include "sampling/score.h"

namespace seesaw {

RefreshedSampler::RefreshedSampler(std::vector<std::uint32_t> rows, const Ramp& ramp, double kappa, std::size_t block,
                                   Rng rng)
    : ramp_(ramp), kappa_(kappa), block_(block), mixed_(rows.size(), 1.0), alias_(std::move(rows), mixed_, rng) {}

void RefreshedSampler::refresh(std::span<const double> sizes) {
  const std::span<const std::uint32_t> rows = alias_.rows();
  double total = 0;
  for (std::size_t k = 0; k < rows.size(); ++k) total += mixed_[k] = score(sizes[rows[k]], kappa_);
  const double delta = ramp_.delta(fed_back_), even = (1 - delta) / static_cast<double>(rows.size());
  for (double& probability : mixed_) probability = even + delta * (probability / total);
  alias_.reset(mixed_);
}

}  // namespace seesaw
