#include "run/one_versus_rest.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <mutex>
#include <numeric>

#include "base/cancel.h"
#include "base/ranks.h"
#include "base/stopwatch.h"
#include "base/task_lanes.h"
#include "base/threads.h"
#include "data/extents.h"
#include "model/several_targets.h"
#include "run/run_state.h"
#include "solvers/catalog.h"

namespace seesaw {
namespace {

// The totals of a class that is run again: those of its earlier rounds are added.
TraceRow with_totals_of(const TraceRow& before, TraceRow row) {
  row.passes += before.passes;
  row.entry_passes += before.entry_passes;
  row.solve_seconds += before.solve_seconds;
  row.check_seconds += before.check_seconds;
  return row;
}

// Serializes the calls of the observers. Classes run in parallel, but their calls are delivered one class after another:
// those of later classes are queued. So observers need not be thread-safe, and the trace does not depend on the number of
// threads.
//
// Invariant: the calls of classes before current_ are all delivered, those of current_ are delivered as they are made,
// and those of later classes are in their queues.
class OrderedObservers {
 public:
  OrderedObservers(const Observers& observers, std::size_t classes) : observers_(observers), queues_(classes) {}

  using Call = std::function<void(Observer&)>;
  void call(std::size_t place, Call call) {
    const std::lock_guard lock(mutex_);
    if (place == current_) deliver(call);
    else queues_[place].pending.push_back(std::move(call));
  }
  void finish(std::size_t place) {  // the class at this place makes no more calls
    const std::lock_guard lock(mutex_);
    queues_[place].finished = true;
    while (current_ < queues_.size() && queues_[current_].finished) {
      if (++current_ == queues_.size()) return;
      for (const Call& call : queues_[current_].pending) deliver(call);
      queues_[current_].pending.clear();
    }
  }
  bool evaluate(const StopPredicate& should_stop) {  // not during an observer's call: it may read what that wrote
    const std::lock_guard lock(mutex_);
    return should_stop && should_stop();
  }

 private:
  struct Queue {
    std::vector<Call> pending;
    bool finished = false;
  };
  void deliver(const Call& call) const {
    for (Observer* observer : observers_) call(*observer);
  }

  const Observers& observers_;
  std::vector<Queue> queues_;
  std::size_t current_ = 0;
  std::mutex mutex_;
};

// Observes the run of one class and forwards its checks with the class and the totals. Begin and end are reported once,
// for all classes together.
class ClassObserver final : public Observer {
 public:
  ClassObserver(OrderedObservers& observers, std::size_t place, const char* name, const ClassOfRow& which,
                const TraceRow& before)
      : observers_(observers), place_(place), name_(name), which_(which), before_(before) {}
  void check(const TraceRow& row) override {
    TraceRow forwarded = with_totals_of(before_, row);
    forwarded.of_class = which_;
    observers_.call(place_, [forwarded](Observer& observer) { observer.check(forwarded); });
  }
  void message(const std::string& sentence) override {
    const std::string forwarded = fmt::format("{} {}: {}", name_, which_.label, sentence);
    observers_.call(place_, [forwarded](Observer& observer) { observer.message(forwarded); });
  }

 private:
  OrderedObservers& observers_;
  std::size_t place_;
  const char* name_;
  ClassOfRow which_;
  TraceRow before_;
};

// The outcome of a class that was run again after its share of the time had ended.
Outcome continued(Outcome&& before, Outcome&& now) {
  for (TraceRow& row : now.trace) row = with_totals_of(before.last, row);
  now.last = with_totals_of(before.last, now.last);
  now.trace.insert(now.trace.begin(), before.trace.begin(), before.trace.end());
  return std::move(now);
}

Termination more_severe(Termination a, Termination b) {
  using enum Termination;
  for (const Termination end : {interrupted, diverged, time_limit, stalled, pass_limit, labels_settled})
    if (a == end || b == end) return end;
  return converged;
}

void join(Outcome& all, Outcome&& one, const ClassOfRow& which) {
  const std::size_t index = which.number - 1;
  set_output(all.point.x, one.point.x, index, which.count);
  set_output(all.point.y, one.point.y, index, which.count);
  set_output(all.point.intercept, one.point.intercept, index, which.count);
  all.classes.push_back({static_cast<const Bounds&>(one.certificate), which.label});
  add_rigorously(all.certificate, one.certificate);
  all.certificate.dual_point = std::max(all.certificate.dual_point, one.certificate.dual_point);
  if (all.method.find(one.method) == std::string::npos)  // each sequence of methods once
    all.method += (all.method.empty() ? "" : "; ") + one.method;
  all.termination = more_severe(all.termination, one.termination);
  const std::size_t nonzeros = all.last.nonzeros + one.last.nonzeros;
  all.last = with_totals_of(all.last, one.last);
  all.last.nonzeros = nonzeros;
  for (TraceRow& row : one.trace) {
    row.of_class = which;
    all.trace.push_back(row);
  }
}

// The regions of all classes; nothing where one is missing.
std::optional<OptimumBounds> joined_regions(const std::vector<Outcome>& classes) {
  OptimumBounds all;
  bool centred = false;
  for (const Outcome& one : classes) {
    if (!one.optimum) return std::nullopt;
    all.radius.push_back(one.optimum->radius[0]);
    all.intercept.push_back(one.optimum->intercept[0]);
    centred = centred || !one.optimum->centre.empty();
  }
  for (std::size_t k = 0; centred && k < classes.size(); ++k) {
    const std::vector<double>& centre = classes[k].optimum->centre;
    set_output(all.centre, centre.empty() ? classes[k].point.x : centre, k, classes.size());
  }
  return all;
}

constexpr double time_used_up = 0.95;  // of the time limit: no further round

// Solves all classes, in rounds. Invariant between rounds: outcomes_[k] is the outcome of class k so far, complete with
// its certificate; the classes that reached their time limit are run again from there.
class ClassRuns {
 public:
  ClassRuns(const RunInfo& info, const SeparableParts& parts, const WarmStart& begin, const Observers& observers,
            const StopPredicate& should_stop, const Checkpoints* checkpoints)
      : info_(info),
        parts_(parts),
        begin_(begin),
        observers_(observers),
        should_stop_(should_stop),
        checkpoints_(checkpoints),
        outcomes_(parts.labels.size()) {}

  // Per class an equal share of the time that is left when it begins. What the later ones leave unused is divided among
  // those that reached their limit, in another round.
  std::vector<Outcome> finish() {
    std::vector<std::size_t> open(outcomes_.size());
    std::iota(open.begin(), open.end(), std::size_t{0});
    for (; !open.empty() && (first_round_ || seconds_used() < time_used_up * info_.criteria.seconds);
         first_round_ = false) {
      run_round(open);
      std::erase_if(open, [&](std::size_t k) { return outcomes_[k].termination != Termination::time_limit; });
    }
    return std::move(outcomes_);
  }

 private:
  // With a time limit the same on all ranks: that of the first one.
  double seconds_used() const {
    double seconds = std::chrono::duration<double>(Clock::now() - start_).count();
    const Shares* const shares = info_.problem.leaves().shares();
    if (shares != nullptr && std::isfinite(info_.criteria.seconds))
      shares->ranks->broadcast(0, &seconds, sizeof seconds);
    return seconds;
  }

  // As many classes in parallel as there are threads, started in order.
  void run_round(const std::vector<std::size_t>& open) {
    OrderedObservers observers(observers_, open.size());
    // One class after another: one pass over a file at a time; several processes take the same steps.
    const bool serial = extents_of(info_.problem.data->rows) != nullptr || info_.problem.leaves().shares() != nullptr;
    TaskLanes lanes(serial ? 1 : std::min(available_threads(), open.size()));
    const StopPredicate should_stop = [&] { return lanes.failed() || observers.evaluate(should_stop_); };
    lanes.run(open.size(), [&, token = cancellation()](std::size_t at) {
      const CancelScope scope(token);
      const std::size_t turns_left = (open.size() - at + lanes.count() - 1) / lanes.count();
      const double seconds = std::max(0.0, info_.criteria.seconds - seconds_used()) / static_cast<double>(turns_left);
      run_class(open[at], at, seconds, observers, should_stop);
      observers.finish(at);
    });
  }

  void run_class(std::size_t k, std::size_t place, double seconds, OrderedObservers& observers,
                 const StopPredicate& should_stop) {
    Outcome& before = outcomes_[k];
    const Problem problem = parts_.problem(k);
    ClassObserver observer(observers, place, parts_.name, {parts_.labels[k], k + 1, outcomes_.size()}, before.last);
    std::optional<CheckpointSeries> series;
    if (checkpoints_ != nullptr && first_round_) {
      series.emplace(*checkpoints_, fmt::format("{}-{}", parts_.name, k + 1));
      if (series->restore_finished([&](Archive& archive) { serialize(archive, before, 1); })) {
        if (k == 0) begin_all(problem, choice_for(problem, info_.solver).value_or(""), observers);
        for (const TraceRow& row : before.trace) observer.check(row);
        return;
      }
    }
    WarmStart warm = of_class(begin_, k, outcomes_.size());
    if (!first_round_) warm = {{before.point.y, before.point.x, before.point.intercept}, before.point};
    Stopwatch construction;
    Stopping stopping(seconds, should_stop);
    const auto solver = timed(construction, [&] {
      const StopScope scope(problem.leaves().shares() == nullptr ? &stopping : nullptr);
      return make_solver(problem, info_.solver, warm.start);
    });
    if (series) require_resumable(*solver, info_.solver.name);
    if (first_round_ && k == 0) begin_all(problem, solver->diagnostics().selection, observers);

    Criteria left = info_.criteria;
    left.seconds = seconds;
    left.max_passes = std::max(0.0, left.max_passes - before.last.passes);
    const bool stopped = any_rank(problem.leaves(), should_stop());
    if (stopped) left.max_passes = 0;
    Outcome now = run(*solver, problem, left, {&observer}, should_stop, warm.known ? &*warm.known : nullptr,
                      construction.seconds(), series && !stopped ? &*series : nullptr, warm.none());
    if (stopped && now.termination != Termination::converged) now.termination = Termination::interrupted;
    before = first_round_ ? std::move(now) : continued(std::move(before), std::move(now));
    using enum Termination;
    const bool finished =
        before.termination == converged || before.termination == stalled || before.termination == diverged;
    if (series && finished && !any_rank(problem.leaves(), should_stop()))  // the check of an interrupt is another one
      if (const auto failure = series->save_finished([&](Archive& archive) { serialize(archive, before, 1); }))
        observer.message(*failure);
  }

  void begin_all(const Problem& first, const std::string& choice, OrderedObservers& observers) const {
    RunInfo info = info_;
    info.remark = message_for(first, info.solver).value_or("");
    info.choice = choice;
    const std::string message = checkpoints_ != nullptr ? checkpoints_->message() : "";
    observers.call(0, [info, message](Observer& observer) {
      observer.begin(info);
      if (!message.empty()) observer.message(message);
    });
  }

  using Clock = std::chrono::steady_clock;
  const RunInfo& info_;
  const SeparableParts& parts_;
  const WarmStart& begin_;
  const Observers& observers_;
  const StopPredicate& should_stop_;
  const Checkpoints* checkpoints_;
  std::vector<Outcome> outcomes_;  // per class
  const Clock::time_point start_ = Clock::now();
  bool first_round_ = true;
};

}  // namespace

Outcome run_parts(const RunInfo& info, const SeparableParts& parts, const WarmStart& begin, const Observers& observers,
                  const StopPredicate& should_stop, const Checkpoints* checkpoints) {
  const Problem& whole = info.problem;
  const std::size_t classes = parts.labels.size();
  std::vector<Outcome> outcomes = ClassRuns(info, parts, begin, observers, should_stop, checkpoints).finish();

  Outcome all;
  all.certificate = {{0, 0, 0}};
  all.optimum = joined_regions(outcomes);
  for (std::size_t k = 0; k < classes; ++k) join(all, std::move(outcomes[k]), {parts.labels[k], k + 1, classes});
  all.certificate.distance_bound = distance_bound(all.certificate.gap, whole.penalty.strong_convexity());
  static_cast<Bounds&>(all.last) = static_cast<const Bounds&>(all.certificate);
  all.last.latest_primal = all.certificate.primal;
  all.last.latest_dual = all.certificate.dual;
  all.last.dual_point = all.certificate.dual_point;
  all.last.diagnostics.clear();
  for (Observer* observer : observers) observer->end(all);
  return all;
}

Outcome run_one_versus_rest(const RunInfo& info, const WarmStart& begin, const Observers& observers,
                            const StopPredicate& should_stop, const Checkpoints* checkpoints) {
  const auto problem = [&](std::size_t k) { return class_problem(info.problem, k); };
  return run_parts(info, {info.problem.labels, problem, "class"}, begin, observers, should_stop, checkpoints);
}

}  // namespace seesaw
