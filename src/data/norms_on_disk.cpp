#include "data/norms_on_disk.h"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "seesaw/error.h"

namespace seesaw {

std::optional<std::vector<double>> take_norms(const Extents* extents) {
  const std::shared_ptr<NormsOnDisk> norms = norms_on_disk(extents);
  if (!norms) return std::nullopt;
  const std::lock_guard lock(norms->mutex);
  if (norms->state != NormsOnDisk::State::known) return std::nullopt;
  norms->state = NormsOnDisk::State::taken;
  return std::move(norms->squares);
}

void require_finite_squares(const std::vector<double>& squares, const Extents& extents) {
  for (const double square : squares)
    if (!std::isfinite(square))
      throw Error(fmt::format(
          "{} has values so large that their squares overflow; scale them down (`scaling` max, or columns-max).",
          extents.budget()->folder));
}

NormsBesidePass::NormsBesidePass(const Extents* extents, std::size_t rows)
    : extents_(extents), norms_(norms_on_disk(extents)) {
  if (!norms_) return;
  const std::lock_guard lock(norms_->mutex);
  if (norms_->state != NormsOnDisk::State::unknown) return;
  norms_->state = NormsOnDisk::State::computing;
  norms_->squares.resize(rows);
  squares_ = norms_->squares.data();
}

void NormsBesidePass::complete() {
  if (squares_ == nullptr) return;
  require_finite_squares(norms_->squares, *extents_);
  const std::lock_guard lock(norms_->mutex);
  norms_->state = NormsOnDisk::State::known;
  squares_ = nullptr;
}

NormsBesidePass::~NormsBesidePass() {
  if (squares_ == nullptr) return;
  const std::lock_guard lock(norms_->mutex);
  norms_->state = NormsOnDisk::State::unknown;
}

}  // namespace seesaw
