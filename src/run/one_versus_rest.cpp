#include "run/one_versus_rest.h"

#include <fmt/format.h>

#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <exception>
#include <functional>
#include <mutex>
#include <numeric>

#include "base/stopwatch.h"
#include "base/threads.h"
#include "solvers/catalog.h"

namespace seesaw {
namespace {

// What a class has done before its present run counts as well.
TraceRow behind(const TraceRow& before, TraceRow row) {
  row.passes += before.passes;
  row.entry_passes += before.entry_passes;
  row.solve_seconds += before.solve_seconds;
  row.check_seconds += before.check_seconds;
  return row;
}

// The observers of the whole. Classes run side by side, but are told of one after the other, in their order: what a
// class has to say before its turn is kept. So observers need not be safe for threads, and a trace reads the same for
// any number of them.
class Audience {
 public:
  Audience(const Observers& observers, std::size_t classes) : observers_(observers), seats_(classes) {}

  using Message = std::function<void(Observer&)>;
  void tell(std::size_t place, Message message) {
    const std::lock_guard lock(one_at_a_time_);
    if (place == turn_) deliver(message);
    else seats_[place].kept.push_back(std::move(message));
  }
  void leave(std::size_t place) {
    const std::lock_guard lock(one_at_a_time_);
    seats_[place].left = true;
    while (turn_ < seats_.size() && seats_[turn_].left) {
      if (++turn_ == seats_.size()) return;
      for (const Message& message : seats_[turn_].kept) deliver(message);
      seats_[turn_].kept.clear();
    }
  }
  bool asks(const StopAsked& stop_asked) {  // may read what an observer wrote
    const std::lock_guard lock(one_at_a_time_);
    return stop_asked && stop_asked();
  }

 private:
  struct Seat {
    std::vector<Message> kept;
    bool left = false;
  };
  void deliver(const Message& message) const {
    for (Observer* observer : observers_) message(*observer);
  }

  const Observers& observers_;
  std::vector<Seat> seats_;
  std::size_t turn_ = 0;
  std::mutex one_at_a_time_;
};

// Tells the audience which class a check is of. Beginning and end are told once, by the whole.
class OfClass final : public Observer {
 public:
  OfClass(Audience& audience, std::size_t place, const ClassOfRow& which, const TraceRow& before)
      : audience_(audience), place_(place), which_(which), before_(before) {}
  void check(const TraceRow& row) override {
    TraceRow told = behind(before_, row);
    told.of_class = which_;
    audience_.tell(place_, [told](Observer& observer) { observer.check(told); });
  }
  void news(const std::string& sentence) override {
    const std::string told = fmt::format("class {}: {}", which_.label, sentence);
    audience_.tell(place_, [told](Observer& observer) { observer.news(told); });
  }

 private:
  Audience& audience_;
  std::size_t place_;
  ClassOfRow which_;
  TraceRow before_;
};

// A class that has been taken up again where its share of the time had ended.
Outcome continued(Outcome&& before, Outcome&& now) {
  for (TraceRow& row : now.trace) row = behind(before.last, row);
  now.last = behind(before.last, now.last);
  now.trace.insert(now.trace.begin(), before.trace.begin(), before.trace.end());
  return std::move(now);
}

void put(std::vector<double>& all, const std::vector<double>& one, std::size_t index, std::size_t classes) {
  all.resize(one.size() * classes);
  for (std::size_t at = 0; at < one.size(); ++at) all[at * classes + index] = one[at];
}

// What the whole ended as: the gravest of what its classes ended as.
Termination graver(Termination a, Termination b) {
  using enum Termination;
  for (const Termination end : {interrupted, diverged, time_limit, stalled, pass_limit})
    if (a == end || b == end) return end;
  return converged;
}

void join(Outcome& all, Outcome&& one, const ClassOfRow& which) {
  const std::size_t index = which.number - 1;
  put(all.point.x, one.point.x, index, which.count);
  put(all.point.y, one.point.y, index, which.count);
  put(all.point.intercept, one.point.intercept, index, which.count);
  all.classes.push_back({which.label, one.certificate.primal, one.certificate.dual, one.certificate.gap});
  add_rigorously(all.certificate, one.certificate);
  all.certificate.dual_point = std::max(all.certificate.dual_point, one.certificate.dual_point);
  if (all.method.find(one.method) == std::string::npos)  // each of them once
    all.method += (all.method.empty() ? "" : "; ") + one.method;
  all.termination = graver(all.termination, one.termination);
  all.last.passes += one.last.passes;
  all.last.entry_passes += one.last.entry_passes;
  all.last.solve_seconds += one.last.solve_seconds;
  all.last.check_seconds += one.last.check_seconds;
  all.last.nonzeros += one.last.nonzeros;
  for (TraceRow& row : one.trace) {
    row.of_class = which;
    all.trace.push_back(row);
  }
}

// All classes of one problem, in rounds.
class ClassRuns {
 public:
  ClassRuns(const RunInfo& info, const WarmStart& begin, const Observers& observers, const StopAsked& stop_asked)
      : info_(info), begin_(begin), observers_(observers), stop_asked_(stop_asked), ones_(whole_.labels.size()) {}

  // Each class has an equal share of the time that is left when its turn comes. What the later ones leave is for those
  // that needed more, in another round.
  std::vector<Outcome> finish() {
    std::vector<std::size_t> open(ones_.size());
    std::iota(open.begin(), open.end(), std::size_t{0});
    for (; !open.empty() && (first_ || seconds_since(begun_) < 0.95 * criteria_.seconds); first_ = false) {
      run_all(open);
      std::erase_if(open, [&](std::size_t k) { return ones_[k].termination != Termination::time_limit; });
    }
    return std::move(ones_);
  }

 private:
  using Clock = std::chrono::steady_clock;
  static double seconds_since(Clock::time_point then) {
    return std::chrono::duration<double>(Clock::now() - then).count();
  }

  // As many side by side as there are threads, begun in order. A thread that waits within its class does not take up
  // another class meanwhile (isolate): their clocks would count each other's work.
  void run_all(const std::vector<std::size_t>& open) {
    Audience audience(observers_, open.size());
    const std::size_t lanes = std::min(threads_at_hand(), open.size());
    std::atomic<std::size_t> next = 0;
    std::atomic<bool> failed = false;
    std::exception_ptr failure;
    const StopAsked stop = [&] { return failed || audience.asks(stop_asked_); };
    tbb::parallel_for(std::size_t{0}, lanes, [&](std::size_t) {
      tbb::this_task_arena::isolate([&] {
        for (std::size_t at = next++; at < open.size() && !failed; at = next++) try {
            const auto turns_left = static_cast<double>((open.size() - at + lanes - 1) / lanes);
            const double seconds = std::max(0.0, criteria_.seconds - seconds_since(begun_)) / turns_left;
            run_one(open[at], at, seconds, audience, stop);
            audience.leave(at);
          } catch (...) {  // not to TBB, which would let the loops of the other classes do nothing
            if (!failed.exchange(true)) failure = std::current_exception();
          }
      });
    });
    if (failure) std::rethrow_exception(failure);
  }

  void run_one(std::size_t k, std::size_t place, double seconds, Audience& audience, const StopAsked& stop) {
    Outcome& before = ones_[k];
    const Problem problem = class_problem(whole_, k);
    WarmStart warm = of_class(begin_, k, ones_.size());
    if (!first_) warm = {{before.point.y, before.point.x, before.point.intercept}, before.point};
    Stopwatch making;
    Stopping stopping(seconds, stop);
    const auto solver = timed(making, [&] {
      const StopScope scope(&stopping);
      return make_solver(problem, spec_, warm.start);
    });
    if (first_ && k == 0) audience.tell(place, [&](Observer& observer) { observer.begin(info_); });

    Criteria left = criteria_;
    left.seconds = seconds;
    left.max_passes = std::max(0.0, criteria_.max_passes - before.last.passes);
    const bool stopped = stop();
    if (stopped) left.max_passes = 0;
    OfClass told(audience, place, {whole_.labels[k], k + 1, ones_.size()}, before.last);
    Outcome one = run(*solver, problem, left, {&told}, stop, warm.known ? &*warm.known : nullptr, making.seconds());
    if (stopped && one.termination != Termination::converged) one.termination = Termination::interrupted;
    before = first_ ? std::move(one) : continued(std::move(before), std::move(one));
  }

  const RunInfo& info_;
  const Problem& whole_ = info_.problem;
  const SolverSpec& spec_ = info_.solver;
  const Criteria& criteria_ = info_.criteria;
  const WarmStart& begin_;
  const Observers& observers_;
  const StopAsked& stop_asked_;
  std::vector<Outcome> ones_;  // of each class, what it has come to so far
  Clock::time_point begun_ = Clock::now();
  bool first_ = true;  // the first round
};

}  // namespace

Outcome run_one_versus_rest(const RunInfo& info, const WarmStart& begin, const Observers& observers,
                            const StopAsked& stop_asked) {
  const Problem& whole = info.problem;
  const std::size_t classes = whole.labels.size();
  std::vector<Outcome> ones = ClassRuns(info, begin, observers, stop_asked).finish();

  Outcome all;
  all.certificate = {.primal = 0, .dual = 0, .gap = 0};
  for (std::size_t k = 0; k < classes; ++k) join(all, std::move(ones[k]), {whole.labels[k], k + 1, classes});
  all.certificate.distance_bound = distance_bound(all.certificate.gap, whole.penalty.strong_convexity());
  all.last.primal = all.last.latest_primal = all.certificate.primal;
  all.last.dual = all.last.latest_dual = all.certificate.dual;
  all.last.gap = all.certificate.gap;
  all.last.dual_point = all.certificate.dual_point;
  for (Observer* observer : observers) observer->end(all);
  return all;
}

}  // namespace seesaw
