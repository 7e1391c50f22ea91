#include "run/continued_run.h"

#include <algorithm>
#include <cmath>

#include "solvers/catalog.h"

namespace seesaw {
namespace {

constexpr double safety = 0.9;    // of the tolerance: the certificate includes rounding errors
constexpr int most_proofs = 8;    // certificates that did not confirm the method's gap
constexpr int most_epochs = 60;   // without a gap of at most
constexpr double progress = 0.7;  // of the smallest one before

}  // namespace

std::unique_ptr<ContinuedRun> ContinuedRun::make(const Problem& problem, const SolverSpec& spec) {
  if (!problem.is_scalar() || problem.leaves().shares() != nullptr) return nullptr;
  auto solver = make_solver(problem, spec, {});
  auto* const follows = dynamic_cast<FollowsPenalty*>(solver.get());
  if (follows == nullptr) return nullptr;
  return std::unique_ptr<ContinuedRun>(new ContinuedRun(problem, std::move(solver), *follows));
}

// Epochs until the method's gap is below the tolerance; nothing then, otherwise why they ended.
std::optional<Termination> ContinuedRun::take_epochs(const Criteria& criteria, double passes_before,
                                                     Stopping& stopping) {
  double smallest = infinity;
  int since = 0;
  for (;;) {
    const double target = safety * criteria.target_gap(follows_.primal());
    const Work work = solver_->work();
    const double gap = work.estimated_gap.value_or(infinity);
    if (gap <= target) return std::nullopt;
    if (stopping.interrupted()) return Termination::interrupted;
    if (stopping.out_of_time()) return Termination::time_limit;
    if (work.passes - passes_before >= criteria.max_passes) return Termination::pass_limit;
    since = gap <= progress * smallest ? 0 : since + 1;
    smallest = std::min(smallest, gap);
    if (since > most_epochs) return Termination::stalled;
    const StopScope scope(&stopping);
    solver_->on_check({{.gap = 0}, target});  // the tolerance follows P
    solver_->epoch();
  }
}

// A gap of at most `enough` is not computed with more precision.
Certificate ContinuedRun::certify(Point& point, double enough) {
  if (by_norms_)
    if (const auto certificate = by_norms_->certify(point, enough)) return *certificate;
  return certifier_.certify_rigorously(point, enough);
}

Outcome ContinuedRun::fit(const Criteria& criteria, const StopPredicate& should_stop) {
  Stopping stopping(criteria.seconds, should_stop);
  if (begun_) follows_.penalty_changed();
  begun_ = true;
  const double passes_before = solver_->work().passes;
  Outcome outcome;
  for (int proofs = 1;; ++proofs) {
    const std::optional<Termination> end = take_epochs(criteria, passes_before, stopping);
    solver_->read(outcome.point);
    outcome.certificate = certify(outcome.point, safety * criteria.target_gap(follows_.primal()));
    const bool converged =
        outcome.certificate.guaranteed && outcome.certificate.gap <= criteria.target_gap(outcome.certificate.primal);
    if (converged || end || proofs == most_proofs) {
      outcome.termination = converged ? Termination::converged : end.value_or(Termination::stalled);
      break;
    }
    solver_->on_check(
        {static_cast<const Bounds&>(outcome.certificate), safety * criteria.target_gap(outcome.certificate.primal)});
  }
  outcome.last = {static_cast<const Bounds&>(outcome.certificate)};
  outcome.last.passes = solver_->work().passes - passes_before;
  return outcome;
}

}  // namespace seesaw
