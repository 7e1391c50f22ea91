// The progress line on a terminal during a study: finished runs, time, and the current run.
#pragma once

#include <chrono>

#include "study/study.h"

namespace seesaw::app {

class StudyProgress final : public StudyObserver {
 public:
  // `over`: those of the `total` runs that were finished before.
  StudyProgress(std::size_t total, std::size_t over, unsigned jobs) : total_(total), over_(over), jobs_(jobs) {}
  void begin(const PlannedRun& run) override { show(run, nullptr); }
  void check(const PlannedRun& run, const TraceRow& row) override { show(run, &row); }
  void end(const PlannedRun&, const RunRecord&) override { ++over_; }
  void refused(const PlannedRun&, const Refused&) override { ++over_; }

 private:
  using Clock = std::chrono::steady_clock;
  void show(const PlannedRun& run, const TraceRow* row);

  std::size_t total_, over_;
  unsigned jobs_;
  Clock::time_point begun_ = Clock::now(), shown_{};
};

// "45 s", "12 min", "3 h".
std::string duration(double seconds);

}  // namespace seesaw::app
