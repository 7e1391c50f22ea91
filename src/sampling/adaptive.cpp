#include "sampling/adaptive.h"

#include <cassert>
#include <utility>

#include "sampling/row_set.h"
#include "sampling/score.h"

namespace seesaw {
namespace {

std::vector<double> ones_at(const std::vector<std::uint32_t>& rows) {
  std::vector<double> values(length_for(rows));
  for (std::uint32_t row : rows) values[row] = 1;
  return values;
}

}  // namespace

AdaptiveSampler::AdaptiveSampler(std::vector<std::uint32_t> rows, const Adaptivity& adaptivity, Rng rng)
    : rows_(std::move(rows)), adaptivity_(adaptivity), scores_(ones_at(rows_)), delta_(ramped()), rng_(rng) {}

double AdaptiveSampler::ramped() const {
  const auto& [begin, end, ramp, kappa] = adaptivity_;
  if (fed_back_ >= ramp) return end;
  return begin + (end - begin) * static_cast<double>(fed_back_) / static_cast<double>(ramp);
}

void AdaptiveSampler::fill(std::span<std::uint32_t> block) {
  const auto size = static_cast<std::uint32_t>(rows_.size());
  for (std::uint32_t& row : block) {
    if (delta_ > 0 && rng_.uniform() < delta_)
      row = static_cast<std::uint32_t>(scores_.find(rng_.uniform() * scores_.total()));
    else row = rows_[rng_.below(size)];
  }
}

double AdaptiveSampler::probability(std::uint32_t row) const {
  const double c = row < scores_.size() ? scores_[row] : 0;
  return c > 0 ? (1 - delta_) / static_cast<double>(rows_.size()) + delta_ * (c / scores_.total()) : 0;
}

void AdaptiveSampler::feedback(std::uint32_t row, double size) {
  assert(probability(row) > 0);
  scores_.set(row, score(size, adaptivity_.kappa));
  if (fed_back_ < adaptivity_.ramp) {
    ++fed_back_;
    delta_ = ramped();
  }
}

}  // namespace seesaw
