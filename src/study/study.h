// Carries out a plan: every run is certified to the same tolerance, and its lines are added to the journal when it ends.
#pragma once

#include <functional>
#include <vector>

#include "run/run.h"
#include "study/journal.h"
#include "study/plan.h"

namespace seesaw {

// Receives the progress of a study; called by one thread at a time.
class StudyObserver {
 public:
  virtual ~StudyObserver() = default;
  virtual void begin(const PlannedRun&) {}
  virtual void check(const PlannedRun&, const TraceRow&) {}
  virtual void end(const PlannedRun&, const RunRecord&) {}
  virtual void refused(const PlannedRun&, const Refused&) {}  // when constructed: by its options or the data
};

struct StudyResult {
  std::vector<RunRecord> records;  // finished, in the order of the plan
  std::vector<Refused> refused;    // by the plan, or when they were constructed
  std::size_t kept = 0;            // runs that were already in the journal
  bool stopped = false;
  std::vector<std::string> lines() const;  // of all records, then of the refused
};

// `jobs` runs at a time, each on one thread if jobs > 1; with jobs = 1 a run may use all threads, and its seconds are
// not affected by other runs. A run ended by `should_stop` is not kept.
StudyResult carry_out(const Plan& plan, Journal& journal, unsigned jobs = 1, StudyObserver* observer = nullptr,
                      const StopPredicate& should_stop = {});

}  // namespace seesaw
