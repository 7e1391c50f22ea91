#include "solvers/parts/dual/working_copy.h"

#include <cmath>
#include <utility>

#include "base/archive.h"

namespace seesaw {
namespace {

constexpr std::size_t large = std::size_t{1} << 20;  // bytes; smaller data stay in the cache of a core
constexpr double passes_before_copying = 12;

}  // namespace

WorkingCopy::WorkingCopy(const Problem& problem, WorkingStorage storage)
    : problem_(problem), rows_(working_view(problem.data->rows)) {
  if (storage == WorkingStorage::compact) make_copy();
  if (storage == WorkingStorage::automatic && problem.data->bytes() > large && !problem.data->single_precision())
    due_ = passes_before_copying;
  for (std::size_t i = 0; i < problem.n(); ++i)
    floor_ += 0x1p-26 * problem.normalized_weight[i] * std::abs(problem.scalar().target[i]);
}

void WorkingCopy::make_copy() {
  due_ = infinity;
  auto compact = compact_copy(problem_.data->rows);
  if (!compact) return;
  rows_ = std::move(compact->rows);
  copied_ = true;
  rounded_ = !compact->exact;
}

void WorkingCopy::serialize(Archive& archive) {
  const bool copied_here = copied_;
  double due = due_;
  archive.numbers("copy", due, gap_, copied_, rounded_);
  if (copied_ && !copied_here) make_copy();
  if (!copied_ && copied_here) rows_ = working_view(problem_.data->rows);
  due_ = due;
}

bool WorkingCopy::on_check(const Checked& checked) {
  const bool stagnates = checked.gap > 0.9 * gap_ && checked.gap < 1000 * floor_;
  gap_ = checked.gap;
  if (checked.gap > floor_ && !stagnates) return false;
  due_ = infinity;
  if (!rounded_) return false;
  rows_ = working_view(problem_.data->rows);
  rounded_ = copied_ = false;
  return true;
}

}  // namespace seesaw
