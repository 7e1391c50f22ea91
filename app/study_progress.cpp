#include "study_progress.h"

#include <fmt/format.h>

#include <cmath>

#include "progress.h"

namespace seesaw::app {

std::string duration(double seconds) {
  if (seconds < 120) return fmt::format("{:.0f} s", seconds);
  if (seconds < 7200) return fmt::format("{:.0f} min", seconds / 60);
  return fmt::format("{:.0f} h", seconds / 3600);
}

void StudyProgress::show(const PlannedRun& run, const TraceRow* row) {
  const auto now = Clock::now();
  if (now - shown_ < std::chrono::milliseconds(100)) return;
  shown_ = now;
  std::string line =
      fmt::format("{} of {} done, {}", over_, total_, duration(std::chrono::duration<double>(now - begun_).count()));
  // Methods differ too much for a forecast by those that are done; a limit on each run is one on all.
  if (std::isfinite(run.criteria.seconds))
    line += fmt::format(", at most {} left",
                        duration(std::ceil(static_cast<double>(total_ - over_) / jobs_) * run.criteria.seconds));
  line += fmt::format("  {}", run.label);
  if (run.solver.seed != 1) line += fmt::format(", seed {}", run.solver.seed);
  if (row != nullptr) line += fmt::format(", pass {:.4g}, gap {:.0e} P", row->passes, row->gap / row->primal);
  line += fmt::format("  {}", run.problem->name);  // last: a narrow terminal cuts it off
  write_over(line);
}

}  // namespace seesaw::app
