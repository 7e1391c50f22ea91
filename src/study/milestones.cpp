#include "study/milestones.h"

#include <algorithm>
#include <cmath>

namespace seesaw {
namespace {

template <class Reached>
std::optional<Milestone> first_where(const RunRecord& run, const Reached& reached) {
  for (const TraceRow& check : run.checks)
    if (reached(check)) return Milestone{check.passes, check.solve_seconds, check.entry_passes};
  return std::nullopt;
}

}  // namespace

std::optional<Milestone> first_within(const RunRecord& run, double relative_gap) {
  return first_where(run, [&](const TraceRow& check) { return check.gap <= relative_gap * check.primal; });
}

double median(std::vector<double> values) {
  if (values.empty()) return infinity;
  std::sort(values.begin(), values.end());
  const std::size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

std::optional<Milestone> median(const std::vector<std::optional<Milestone>>& seeds) {
  std::vector<double> passes, seconds, entries;
  for (const auto& one : seeds) {
    passes.push_back(one ? one->passes : infinity);
    seconds.push_back(one ? one->seconds : infinity);
    entries.push_back(one ? one->entries : infinity);
  }
  const Milestone middle{median(passes), median(seconds), median(entries)};
  if (!std::isfinite(middle.passes)) return std::nullopt;
  return middle;
}

}  // namespace seesaw
