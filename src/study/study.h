// Carries a plan out: each run certified by the same gap, its lines added to the journal when it is over.
#pragma once

#include <functional>
#include <vector>

#include "run/run.h"
#include "study/journal.h"
#include "study/plan.h"

namespace seesaw {

// What a study tells while it runs; called by one thread at a time.
class StudyObserver {
 public:
  virtual ~StudyObserver() = default;
  virtual void begin(const PlannedRun&) {}
  virtual void check(const PlannedRun&, const TraceRow&) {}
  virtual void end(const PlannedRun&, const RunRecord&) {}
  virtual void refused(const PlannedRun&, const Refused&) {}  // at the last moment: its options, or the numbers
};

struct StudyResult {
  std::vector<RunRecord> records;  // finished, in the order of the plan
  std::vector<Refused> refused;    // the plan's, and those found on the way
  std::size_t kept = 0;            // runs that the journal had already
  bool stopped = false;
  std::vector<std::string> lines() const;  // of all records, then of the refused
};

// `jobs` runs at a time, each on one thread where there are several; one alone may use all threads and has honest
// seconds. What `stop_asked` cuts off is not kept.
StudyResult carry_out(const Plan& plan, Journal& journal, unsigned jobs = 1, StudyObserver* observer = nullptr,
                      const StopAsked& stop_asked = {});

}  // namespace seesaw
