#include "run/run.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <optional>
#include <utility>

#include "base/cancel.h"
#include "base/optional_work.h"
#include "base/parallel.h"
#include "base/ranks.h"
#include "base/stopwatch.h"
#include "model/mean_loss.h"
#include "run/incumbent.h"
#include "run/run_state.h"
#include "run/trace_row.h"

namespace seesaw {
namespace {

constexpr std::size_t entries_per_extra_thread = 50000;  // fewer are not worth a second thread
constexpr double decade = 0.1;
constexpr double grace = 0.5;  // seconds after a request to stop in which a certificate is made better

// One run: check(), advance(), check(), advance(), ..., check().
//
// Invariants between the calls:
//  - no epoch is running, and the solver's state can be read;
//  - every epoch is charged to exactly one clock: solving_, or checking_ if the run ended before it was needed;
//  - trace.back() is the last check, and all observers have received it;
//  - `converged` is only reported for the rigorous certificate in outcome_.certificate.
// Checks are scheduled by passes, never by clocks, so a seed determines the run (except under a time limit).
class RunLoop {
 public:
  RunLoop(Solver& solver, const Problem& problem, const Criteria& criteria, const Observers& observers,
          const StopPredicate& should_stop, double spent, CheckpointSeries* checkpoints, bool from_zero)
      : solver_(solver),
        problem_(problem),
        criteria_(criteria),
        observers_(observers),
        checkpoints_(checkpoints),
        ranks_(problem.leaves().shares() != nullptr ? problem.leaves().shares()->ranks : nullptr),
        stopping_(criteria.seconds - spent, should_stop, checkpoints != nullptr),
        from_zero_(from_zero && criteria.max_passes > 0 && !criteria.until && proved_as_given(problem)),
        solving_(spent),
        incumbent_(problem) {}

  Outcome finish(const Point* known) {
    if (resume()) {
      continue_to_check();
    } else if (known != nullptr) {
      candidate_ = *known;
      timed(checking_, [&] {
        const OptionalWorkScope optional(optional_request());
        incumbent_.update(candidate_);
      });
    }
    for (;;) {
      if (const auto end = check()) {
        outcome_.termination = *end;
        break;
      }
      advance();
    }
    if (criteria_.signs) outcome_.proved_signs = timed(checking_, [&] { return incumbent_.signs(); });
    if (criteria_.region) outcome_.optimum = timed(checking_, [&] { return incumbent_.region(); });
    outcome_.point = std::move(incumbent_.proved_point);
    outcome_.method = diagnostics_.methods;
    outcome_.last = outcome_.trace.back();
    outcome_.last.check_seconds = checking_.seconds();
    for (Observer* observer : observers_) observer->end(outcome_);
    return std::move(outcome_);
  }

 private:
  // Certifies the solver's current point, reports the check, and returns why the run ends, if it does.
  std::optional<Termination> check() {
    const Work work = solver_.work();
    diagnostics_ = solver_.diagnostics();
    if (outcome_.trace.empty()) selection_ = diagnostics_.selection;
    if (!check_zero(work)) {
      timed(checking_, [&] { solver_.read(candidate_); });
      if (!prove_candidate(work)) certify(work);
    }
    update_state(work);
    std::optional<Termination> end = decide(criteria_, state_);
    if (end == Termination::converged) end = confirm_convergence(work.passes);
    if (criteria_.until && evaluate_rule()) end = Termination::labels_settled;
    if (end && end != Termination::converged &&
        end != Termination::labels_settled) {  // the outcome is proved in any case, and may have converged after all
      prove();
      if (outcome_.certificate.guaranteed && decide(criteria_, state_) == Termination::converged)
        end = Termination::converged;
    }
    report();
    (end ? checking_ : solving_).add(ahead_.seconds());
    return end;
  }

  // The first check of a method that schedules the others: x = 0 and y = 0. False: its estimate is low enough already.
  bool check_zero(const Work& work) {
    if (!from_zero_ || !outcome_.trace.empty() || !work.estimated_gap) return false;
    return timed(checking_, [&] {
      const std::optional<double> known = solver_.primal_at_zero();
      const double primal = known ? *known : primal_at_zero(problem_);
      target_ = criteria_.target_gap(primal);
      if (*work.estimated_gap <= target_) return false;
      incumbent_.begin_at_zero(primal, candidate_);
      return true;
    });
  }

  // Where the method's own estimate is below the tolerance, the rigorous certificate of the candidate is that of the method,
  // or computed at once, without a plain one. False: it does not end the run, and the candidate is as read.
  bool prove_candidate(const Work& work) {
    const bool direct = work.estimated_gap && *work.estimated_gap <= target_ && !criteria_.until &&
                        work.passes >= std::max(next_proof_, next_direct_proof_) && proved_as_given(problem_);
    if (!direct) return false;
    const bool proved = timed(checking_, [&] {
      const StopScope scope(nullptr);
      return incumbent_.prove_candidate(candidate_, solver_.proof(),
                                        [&](double primal) { return criteria_.target_gap(primal); });
    });
    if (!proved) {
      next_direct_proof_ = next_proof_after(work.passes);
      timed(checking_, [&] { solver_.read(candidate_); });
    }
    overlapped_ = in_parallel_ = false;
    ahead_ = Stopwatch();
    return proved;
  }

  // Updates the incumbent by the candidate. A method that overlaps checks takes its next epoch before it receives the
  // result: in parallel if there are two threads, otherwise after it is known that the run goes on. The steps are the
  // same.
  void certify(const Work& work) {
    overlapped_ = work.overlaps_checks && !outcome_.trace.empty() && work.passes < criteria_.max_passes;
    in_parallel_ =
        overlapped_ && ranks_ == nullptr && several_threads() && problem_.data->nnz >= entries_per_extra_thread;
    ahead_ = Stopwatch();
    const auto update = [&] {  // complete, whatever request is in force on this thread
      const StopScope scope(nullptr);
      const OptionalWorkScope optional(optional_request());
      incumbent_.update(candidate_);
    };
    if (!in_parallel_) {
      timed(checking_, update);
      return;
    }
    Stopwatch both;
    const std::stop_token* const token = cancellation();
    std::exception_ptr cancelled;  // not passed to TBB, which would cancel the loops of the epoch
    const auto update_there = [&] {
      const CancelScope scope(token);
      try {
        update();
      } catch (...) {
        cancelled = std::current_exception();
      }
    };
    timed(both, [&] { parallel_pair([&] { take_epoch(ahead_); }, update_there); });
    if (cancelled) std::rethrow_exception(cancelled);
    checking_.add(both.seconds() - ahead_.seconds());
  }

  void update_state(const Work& work) {
    const bool first = outcome_.trace.empty();
    if (first || progressed(progress_, incumbent_.bounds)) {
      progress_ = incumbent_.bounds;
      state_.passes_of_progress = work.passes;
      state_.stationary = true;
    }
    state_.stationary = state_.stationary &&
                        as_good_to_nine_digits(incumbent_.bounds, incumbent_.latest.primal, incumbent_.latest.dual);
    state_.passes = work.passes;
    state_.seconds = solving_.seconds() + checking_.seconds() + ahead_.seconds();
    if (stopping_.out_of_time()) state_.seconds = std::max(state_.seconds, criteria_.seconds);  // observers take time
    if (ranks_ != nullptr) ranks_->broadcast(0, &state_.seconds, sizeof state_.seconds);
    static_cast<Bounds&>(state_) = incumbent_.bounds;
    state_.latest_primal = incumbent_.latest.primal;
    if (first) {
      const bool at_zero = !problem_.free_intercept() &&
                           std::all_of(candidate_.x.begin(), candidate_.x.end(), [](double x) { return x == 0; });
      state_.first_primal = std::max(incumbent_.latest.primal, at_zero ? 0.0 : primal_at_zero(problem_));
    }

    row_ = trace_row(problem_, incumbent_, candidate_, work);
    row_.solve_seconds = solving_.seconds();
    row_.check_seconds = checking_.seconds();
    row_.diagnostics.insert(row_.diagnostics.begin(), diagnostics_.values.begin(), diagnostics_.values.end());
  }

  // Plain sums meet the tolerance: does the rigorous certificate? Proofs that miss the target are spaced by passes.
  std::optional<Termination> confirm_convergence(double passes) {
    if (passes >= next_proof_) {
      prove();
      next_proof_ = next_proof_after(passes);
    } else {
      state_.gap = std::max(state_.gap, outcome_.certificate.gap);  // of the proof that missed
    }
    if (!outcome_.certificate.guaranteed) return Termination::stalled;  // more passes would not prove more
    return decide(criteria_, state_);
  }

  // Whether the rule of the criteria holds: counted with the bounds at hand, decided with rigorous ones.
  bool evaluate_rule() {
    const auto count = [&](const Point& point) {
      row_.settled = timed(checking_, [&] { return criteria_.until->evaluate(problem_, point, state_); });
      return row_.settled->all();
    };
    if (!count(incumbent_.point)) return false;
    prove();
    return outcome_.certificate.guaranteed && count(incumbent_.proved_point);
  }

  // The rigorous bounds replace those of plain sums.
  void prove() {
    const double enough = well_below * criteria_.target_gap(state_.primal);
    outcome_.certificate = timed(checking_, [&] {
      const OptionalWorkScope optional(optional_request());
      return incumbent_.prove(enough);
    });
    static_cast<Bounds&>(state_) = static_cast<Bounds&>(row_) = static_cast<const Bounds&>(outcome_.certificate);
  }

  void report() {
    outcome_.trace.push_back(row_);
    for (Observer* observer : observers_) observer->check(row_);
  }

  // Passes the result of the check to the solver, then takes epochs until the next check is due.
  void advance() {
    if (overlapped_ && !in_parallel_) take_epoch(solving_);
    target_ = next_target();
    timed(solving_, [&] {
      const StopScope scope(request());  // `auto` may construct another method
      const CancelScope whole(nullptr);
      solver_.on_check({static_cast<const Bounds&>(state_), target_});
    });
    report_selection();
    Forecast forecast = forecaster_.update({state_.passes, state_.gap}, target_);
    const Work work = solver_.work();
    if (!work.overlaps_checks) forecast = {.passes = forecast.passes};  // it may adapt at checks
    due_ = work.estimated_gap ? next_routine_check(criteria_, state_.passes)
                              : next_check(criteria_, state_.passes, forecast);
    if (!overlapped_) take_epoch(solving_);
    continue_to_check();
  }

  // Epochs until the next check is due. Between two epochs the state can be saved, and a run continued.
  void continue_to_check() {
    for (save(); !check_is_due(); save()) take_epoch(solving_);
  }

  // With another rule there is no gap to reach: a check after every decade of it.
  double next_target() const {
    const double target = criteria_.target_gap(state_.primal);
    return criteria_.until && std::isfinite(state_.gap) ? std::max(target, decade * state_.gap) : target;
  }

  bool check_is_due() {
    bool late = !(solving_.seconds() + checking_.seconds() < criteria_.seconds) || stopping_.out_of_time();
    state_.interrupted = stopping_.interrupted();
    if (ranks_ != nullptr) agree(state_.interrupted, late);
    if (state_.interrupted) return true;
    const Work work = solver_.work();
    return !(work.passes < due_ && work.estimated_gap.value_or(infinity) > target_ && !late);
  }

  // What one rank has noticed, all have.
  void agree(bool& interrupted, bool& late) {
    for (const int noticed : ranks_->gather((interrupted ? 1 : 0) + (late ? 2 : 0))) {
      interrupted = interrupted || noticed % 2 == 1;
      late = late || noticed / 2 == 1;
    }
  }
  // Several processes end between epochs, all at the same one.
  StopRequest* request() { return ranks_ == nullptr ? &stopping_ : nullptr; }
  StopRequest* optional_request() { return ranks_ == nullptr ? &stopping_certificates_ : nullptr; }

  void report_selection() {
    std::string selection = solver_.diagnostics().selection;
    if (selection == selection_) return;
    selection_ = std::move(selection);
    messages_.emplace_back(outcome_.trace.size(), selection_);
    report(selection_);
  }
  void report(const std::string& sentence) const {
    for (Observer* observer : observers_) observer->message(sentence);
  }

  // Saves the state if a checkpoint is due, and before the run ends by an interrupt or a limit.
  void save() {
    if (checkpoints_ == nullptr || stopping_.stopped()) return;  // the last epoch may be incomplete
    const double passes = solver_.work().passes;
    const bool ends = stopping_.interrupted() || stopping_.out_of_time() || passes >= criteria_.max_passes;
    if (!any_rank(problem_.leaves(), ends || checkpoints_->due(passes))) return;  // clocks differ
    if (!solver_.resumable()) {                                                   // `auto` has changed the method
      if (!std::exchange(reported_, true))
        report(fmt::format("no further checkpoints: the state of {} cannot be saved.", solver_.diagnostics().methods));
      return;
    }
    if (const auto problem = checkpoints_->save(passes, [&](Archive& archive) { serialize(archive); }))
      report(*problem);
  }

  // Restores the state from a checkpoint; the observers receive the checks before it again. False: there is none.
  bool resume() {
    if (checkpoints_ == nullptr) return false;
    const auto [done, message] = checkpoints_->restore([&](Archive& archive) { serialize(archive); });
    auto next = messages_.begin();
    for (std::size_t row = 0; row < outcome_.trace.size(); ++row) {
      for (Observer* observer : observers_) observer->check(outcome_.trace[row]);
      for (; next != messages_.end() && next->first == row + 1; ++next) report(next->second);
    }
    if (!message.empty()) report(message);
    return done;
  }

  void serialize(Archive& archive) {
    double solving = solving_.seconds(), checking = checking_.seconds();
    archive.numbers("run", solving, checking, due_, target_, next_proof_, next_direct_proof_, progress_.primal,
                    progress_.dual, progress_.gap);
    archive.numbers("state", state_.primal, state_.dual, state_.gap, state_.passes, state_.seconds, state_.first_primal,
                    state_.latest_primal, state_.passes_of_progress, state_.stationary);
    archive.text("selection", selection_);
    incumbent_.serialize(archive, problem_.outputs());
    seesaw::serialize(archive, outcome_.certificate);
    seesaw::serialize(archive, outcome_.trace);
    std::size_t messages = messages_.size();
    archive.numbers("messages", messages);
    messages_.resize(messages);
    for (auto& [position, sentence] : messages_) {
      archive.numbers("position", position);
      archive.text("sentence", sentence);
    }
    forecaster_.serialize(archive);
    solver_.serialize(archive);
    if (archive.saving()) return;
    solving_ = Stopwatch(solving);  // that of constructing the solver again is not counted
    checking_ = Stopwatch(checking);
    stopping_.use(solving + checking);
  }

  void take_epoch(Stopwatch& watch) {
    timed(watch, [&] {
      const StopScope scope(request());
      const CancelScope whole(nullptr);
      solver_.epoch();
    });
  }

  Solver& solver_;
  const Problem& problem_;
  const Criteria& criteria_;
  const Observers& observers_;
  CheckpointSeries* checkpoints_;
  Ranks* ranks_;  // null: one process
  Stopping stopping_;
  StopAfterGrace stopping_certificates_{stopping_, grace};
  bool from_zero_;

  Stopwatch solving_, checking_;
  Stopwatch ahead_;           // the epoch in parallel with the current check
  bool overlapped_ = false;   // the solver takes one epoch before it receives the current check,
  bool in_parallel_ = false;  // and has taken it during the check

  Incumbent incumbent_;
  Point candidate_;          // of the current check
  Diagnostics diagnostics_;  // of the candidate
  std::string selection_;    // reported last
  StopState state_;
  TraceRow row_;
  Bounds progress_;                                // when one of them last moved by more than rounding
  double next_proof_ = 0, next_direct_proof_ = 0;  // passes
  Forecaster forecaster_;
  double due_ = 0, target_ = 0;  // the pass of the next check, and the gap that makes it due
  Outcome outcome_;
  std::vector<std::pair<std::size_t, std::string>> messages_;  // with the number of checks before each
  bool reported_ = false;                                      // that the method cannot be saved
};

}  // namespace

Outcome run(Solver& solver, const Problem& problem, const Criteria& criteria, const Observers& observers,
            const StopPredicate& should_stop, const Point* known, double spent, CheckpointSeries* checkpoints,
            bool from_zero) {
  return RunLoop(solver, problem, criteria, observers, should_stop, spent, checkpoints, from_zero).finish(known);
}

}  // namespace seesaw
