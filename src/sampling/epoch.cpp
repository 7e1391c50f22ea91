#include "sampling/epoch.h"

#include <numeric>
#include <utility>

#include "sampling/row_set.h"

namespace seesaw {

EpochSampler::EpochSampler(std::vector<std::uint32_t> rows, std::span<const double> p0,
                           const EpochAdaptivity& adaptivity, Rng rng)
    : adaptivity_(adaptivity),
      p0_(p0.begin(), p0.end()),
      mixed_(p0_),
      p0_total_(std::accumulate(p0_.begin(), p0_.end(), 0.0)),
      scores_(length_for(rows), 1),
      alias_(std::move(rows), mixed_, rng) {
  end_pass();
}

void EpochSampler::reset(std::span<const double> p0) {
  p0_.assign(p0.begin(), p0.end());
  p0_total_ = std::accumulate(p0_.begin(), p0_.end(), 0.0);
  end_pass();
}

void EpochSampler::end_pass() {
  const std::span<const std::uint32_t> rows = alias_.rows();
  double total = 0;
  for (std::uint32_t row : rows) total += scores_[row];
  // In the units of the given p0, so that delta = 0 passes p0 to the table unchanged.
  const double kept = 1 - adaptivity_.delta, learned = adaptivity_.delta * (p0_total_ / total);
  for (std::size_t k = 0; k < rows.size(); ++k) mixed_[k] = kept * p0_[k] + learned * scores_[rows[k]];
  alias_.reset(mixed_);
}

}  // namespace seesaw
