#include "run/run.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "base/parallel.h"
#include "base/stopwatch.h"
#include "model/mean_loss.h"

namespace seesaw {
namespace {

// Less than this is not worth a second thread.
constexpr std::size_t entries_worth_a_thread = 50000;

// The lowest P and the highest D seen, each with its point: any primal point and any dual point make a certificate.
class Best {
 public:
  explicit Best(const Problem& problem) : certifier_(problem) {}

  // Certifies the point and keeps what is better than before.
  void consider(Point& candidate) {
    latest = certifier_.certify(candidate, std::isfinite(gap) ? 1e-4 * gap : 0);
    const bool first = point.x.empty();
    const bool lower = first || latest.primal < certificate.primal;
    const bool higher = first || latest.dual > certificate.dual;
    if (lower) {
      certificate.primal = latest.primal;
      point.x = candidate.x;
      point.intercept = candidate.intercept;
    }
    if (higher) {
      certificate.dual = latest.dual;
      certificate.dual_point = latest.dual_point;
      point.y = candidate.y;
    }
    if (lower && higher) gap = latest.gap;  // the split form: no cancellation
    else if (lower || higher) gap = std::max(0.0, certificate.primal - certificate.dual);
    if (lower || higher) proved_.reset();
  }

  // The guaranteed certificate of the kept pair, and the pair as it is proved.
  // A gap of at most `enough` is not made smaller by arithmetic of twice the precision.
  const Certificate& prove(double enough) {
    if (proved_) return *proved_;
    proved_point = point;
    Certificate result = certifier_.certify_rigorously(proved_point, enough);
    if (result.dual_point == DualPoint::as_given) result.dual_point = certificate.dual_point;
    proved_ = result;
    return *proved_;
  }

  bool better_than(const Certificate& before) const {  // by more than rounding
    constexpr double rounding = 1e-13;
    return certificate.primal < before.primal - rounding * std::abs(before.primal) ||
           certificate.dual > before.dual + rounding * std::abs(before.dual);
  }

  bool rests() const {  // the latest point is as good as the best, to nine digits
    const double nearly = 1e-9 * std::abs(certificate.primal);
    return latest.primal <= certificate.primal + nearly && latest.dual >= certificate.dual - nearly;
  }

  TraceRow row() const {
    TraceRow row;
    row.primal = certificate.primal;
    row.dual = certificate.dual;
    row.gap = gap;
    row.latest_primal = latest.primal;
    row.latest_dual = latest.dual;
    row.dual_point = latest.dual_point;
    return row;
  }

  Point point;
  Point proved_point;
  Certificate certificate;
  Certificate latest;
  double gap = infinity;

 private:
  Certifier certifier_;
  std::optional<Certificate> proved_;
};

}  // namespace

Outcome run(Solver& solver, const Problem& problem, const Criteria& criteria, const Observers& observers,
            const StopAsked& stop_asked, const Point* known, double spent) {
  Outcome outcome;
  Stopwatch solving(spent), checking, ahead;  // ahead: an epoch beside a check, solving only if it was needed
  Stopping stopping(criteria.seconds - spent, stop_asked);
  Best best(problem);
  Point candidate;
  StopState standing;
  Certificate progress;  // P and D when one of them last moved
  Forecaster forecaster;
  TraceRow row;
  double next_proof = 0;  // passes; a proof that missed its target is not tried again at once

  const auto record = [&](const Work& work) {
    if (best.better_than(progress) || outcome.trace.empty()) {
      progress = best.certificate;
      standing.passes_of_progress = work.passes;
      standing.rests = true;
    }
    standing.rests = standing.rests && best.rests();
    standing.passes = work.passes;
    standing.seconds = solving.seconds() + checking.seconds() + ahead.seconds();
    if (stopping.out_of_time()) standing.seconds = std::max(standing.seconds, criteria.seconds);  // observers take time
    standing.primal = best.certificate.primal;
    standing.gap = best.gap;
    standing.latest_primal = best.latest.primal;
    if (outcome.trace.empty()) standing.first_primal = std::max(best.latest.primal, primal_at_zero(problem));

    row = best.row();
    row.passes = work.passes;
    row.entry_passes = work.entries / static_cast<double>(std::max<std::size_t>(problem.data->nnz, 1));
    row.solve_seconds = solving.seconds();
    row.check_seconds = checking.seconds();
    row.nonzeros = static_cast<std::size_t>(
        std::count_if(candidate.x.begin(), candidate.x.end(), [](double x) { return x != 0; }));
  };
  // The guaranteed numbers take the place of those of plain sums.
  const auto prove = [&] {
    constexpr double well_below = 1e-3;  // of the tolerance: a gap for which more precision is not worth its time
    const double tolerance = std::max(criteria.gap * standing.primal, criteria.gap_abs);
    outcome.certificate = timed(checking, [&] { return best.prove(well_below * tolerance); });
    row.primal = standing.primal = outcome.certificate.primal;
    row.dual = outcome.certificate.dual;
    row.gap = standing.gap = outcome.certificate.gap;
  };
  const auto tell = [&] {
    outcome.trace.push_back(row);
    for (Observer* observer : observers) observer->check(row);
  };

  const auto take_epoch = [&](Stopwatch& watch) {
    timed(watch, [&] {
      const StopScope scope(&stopping);
      solver.epoch();
    });
  };
  const auto consider = [&] {  // complete, whatever is in force on the thread that an epoch beside it waits on
    const StopScope scope(nullptr);
    best.consider(candidate);
  };

  if (known != nullptr) {
    candidate = *known;
    timed(checking, [&] { best.consider(candidate); });
  }
  for (;;) {
    const Work work = solver.work();
    timed(checking, [&] { solver.read(candidate); });
    // A method that agrees takes its next epoch before it hears of the check: beside it where there are two threads,
    // and with one when it is known to be needed. The steps are the same.
    const bool unheard = solver.overlaps_checks() && !outcome.trace.empty() && work.passes < criteria.max_passes;
    const bool beside = unheard && several_threads() && problem.data->nnz >= entries_worth_a_thread;
    ahead = Stopwatch();
    if (beside) {
      Stopwatch both;
      timed(both, [&] { parallel_pair([&] { take_epoch(ahead); }, consider); });
      checking.add(both.seconds() - ahead.seconds());
    } else {
      timed(checking, consider);
    }
    record(work);
    auto end = decide(criteria, standing);
    if (end == Termination::converged) {  // said only of the guaranteed certificate that is handed out
      if (work.passes >= next_proof) {
        prove();
        next_proof = 1.1 * work.passes + 1;
      } else {
        standing.gap = std::max(standing.gap, outcome.certificate.gap);  // the one that missed
      }
      end = decide(criteria, standing);
      if (!outcome.certificate.guaranteed) end = Termination::stalled;  // more work would not prove more
    }
    if (end && end != Termination::converged) {
      prove();
      if (outcome.certificate.guaranteed && decide(criteria, standing) == Termination::converged)
        end = Termination::converged;
    }
    tell();
    if (end) {
      outcome.termination = *end;
      checking.add(ahead.seconds());
      break;
    }
    solving.add(ahead.seconds());
    const auto epoch = [&] { take_epoch(solving); };
    const auto stopped = [&] { return standing.interrupted = stopping.interrupted(); };
    if (unheard && !beside) epoch();
    const double target = std::max(criteria.gap * standing.primal, criteria.gap_abs);
    timed(solving, [&] {
      const StopScope scope(&stopping);  // `auto` may construct another method
      solver.on_check({standing.primal, standing.gap, target});
    });
    if (const std::string news = solver.news(); !news.empty())
      for (Observer* observer : observers) observer->news(news);
    Forecast forecast = forecaster.after({standing.passes, standing.gap}, target);
    if (!solver.overlaps_checks()) forecast = {.passes = forecast.passes};  // it may learn from checks: not too few
    const double due =
        solver.estimated_gap() ? next_look(criteria, standing.passes) : next_check(criteria, standing.passes, forecast);
    if (!unheard) epoch();
    while (!stopped() && solver.work().passes < due && solver.estimated_gap().value_or(infinity) > target &&
           solving.seconds() + checking.seconds() < criteria.seconds && !stopping.out_of_time())
      epoch();
  }

  outcome.point = std::move(best.proved_point);
  outcome.method = solver.method();
  outcome.last = outcome.trace.back();
  outcome.last.check_seconds = checking.seconds();
  for (Observer* observer : observers) observer->end(outcome);
  return outcome;
}

}  // namespace seesaw
