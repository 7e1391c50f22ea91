#include "study/study.h"

#include <tbb/task_arena.h>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <thread>

#include "run/fit.h"
#include "run/fit_groups.h"
#include "run/trace.h"
#include "seesaw/error.h"
#include "study/command_line.h"

namespace seesaw {
namespace {

// The fields of a run's header that only the study has.
Json header_fields(const PlannedRun& planned) {
  Json fields = {{"key", key_of(planned)},
                 {"label", planned.label},
                 {"problem", planned.problem->name},
                 {"command", planned.command.empty() ? train_command(*planned.problem, planned.solver, planned.criteria)
                                                     : planned.command}};
  if (!planned.experiment.empty()) fields["experiment"] = planned.experiment;
  if (!planned.panel.empty()) fields["panel"] = planned.panel;
  if (planned.reference) fields["reference"] = true;
  return fields;
}

// Forwards the calls of a run to the study's observer, one thread at a time.
class Forwarder final : public Observer {
 public:
  Forwarder(const PlannedRun& planned, StudyObserver* observer, std::mutex& mutex)
      : planned_(planned), observer_(observer), mutex_(mutex) {}
  void begin(const RunInfo&) override {
    if (observer_ == nullptr) return;
    const std::lock_guard lock(mutex_);
    observer_->begin(planned_);
  }
  void check(const TraceRow& row) override {
    if (observer_ == nullptr) return;
    const std::lock_guard lock(mutex_);
    observer_->check(planned_, row);
  }

 private:
  const PlannedRun& planned_;
  StudyObserver* observer_;
  std::mutex& mutex_;
};

}  // namespace

std::vector<std::string> StudyResult::lines() const {
  std::vector<std::string> all;
  for (const RunRecord& record : records) all.insert(all.end(), record.lines.begin(), record.lines.end());
  for (const Refused& one : refused) all.push_back(one.line());
  return all;
}

StudyResult carry_out(const Plan& plan, Journal& journal, unsigned jobs, StudyObserver* observer,
                      const StopPredicate& should_stop) {
  StudyResult result;
  result.refused = plan.refused;
  std::vector<const PlannedRun*> open;
  for (const PlannedRun& run : plan.runs) {
    if (journal.find(key_of(run)) == nullptr) open.push_back(&run);
    else ++result.kept;
  }

  std::mutex mutex;  // guards the observer and `result`
  std::atomic<bool> stopped = false;
  std::exception_ptr failure;
  const auto carry_out_one = [&](const PlannedRun& planned) {
    std::vector<std::string> lines;
    TraceWriter trace([&](const std::string& line) { lines.push_back(line); },
                      [&](const RunInfo&) { return header_fields(planned); });
    Forwarder forwarder(planned, observer, mutex);
    const StopPredicate stop = [&] {
      if (should_stop && should_stop()) stopped = true;
      return stopped.load();
    };
    try {
      const StudyProblem& study_problem = *planned.problem;
      const Scaling scaling = study_problem.prepared.transform.scaling;
      const Observers observers = {&trace, &forwarder};
      trace.finish(
          study_problem.groups
              ? solve_groups(*study_problem.groups, {planned.solver, planned.criteria, scaling}, observers, stop)
              : solve({study_problem.problem, planned.solver, planned.criteria, scaling}, observers, stop));
    } catch (const Error& error) {  // invalid options, or unsupported by the data: as `train` would report
      const std::lock_guard lock(mutex);
      std::string why = with_options(error.what());
      if (why.ends_with('.')) why.pop_back();  // reasons are parts of sentences
      const Refused refused{planned.label, planned.solver.name, planned.problem->name, why};
      const bool known = std::any_of(result.refused.begin(), result.refused.end(), [&](const Refused& other) {
        return other.label == refused.label && other.problem == refused.problem;  // with another seed
      });
      if (!known) result.refused.push_back(refused);
      if (observer != nullptr) observer->refused(planned, refused);
      return;
    }
    const RunRecord record = read_records(lines, planned.label).front();
    if (!record.finished()) return;
    journal.add(record);
    const std::lock_guard lock(mutex);
    if (observer != nullptr) observer->end(planned, record);
  };

  std::atomic<std::size_t> next = 0;
  const auto work = [&] {
    try {
      for (std::size_t k = next++; k < open.size() && !stopped; k = next++) carry_out_one(*open[k]);
    } catch (...) {
      const std::lock_guard lock(mutex);
      if (!failure) failure = std::current_exception();
      stopped = true;
    }
  };
  if (jobs <= 1) {
    work();
  } else {
    std::vector<std::jthread> workers;
    for (unsigned w = 0; w < jobs; ++w) workers.emplace_back([&] { tbb::task_arena(1).execute(work); });
  }
  if (failure) std::rethrow_exception(failure);
  for (const Refused& one : result.refused) journal.add_line(one.line());

  result.stopped = stopped;
  for (const PlannedRun& run : plan.runs)
    if (const RunRecord* record = journal.find(key_of(run))) result.records.push_back(*record);
  return result;
}

}  // namespace seesaw
