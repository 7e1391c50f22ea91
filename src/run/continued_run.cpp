#include "run/continued_run.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "solvers/auto/auto_solver.h"
#include "solvers/catalog.h"

namespace seesaw {
namespace {

constexpr double safety = 0.9;           // of the tolerance: the certificate includes rounding errors
constexpr int most_proofs = 8;           // certificates that did not confirm the method's gap
constexpr int most_epochs = 60;          // without a gap of at most
constexpr double enough_fall = 0.7;      // of the smallest one before
constexpr double least_unproved = 1e-8;  // relative gaps below it are proved: rounding may matter

}  // namespace

std::unique_ptr<ContinuedRun> ContinuedRun::make(const Problem& problem, const SolverSpec& spec, const Start& start) {
  if (!problem.is_scalar() || problem.leaves().shares() != nullptr) return nullptr;
  std::unique_ptr<ContinuedRun> made(new ContinuedRun(problem, spec, start));
  made->by_gram_ =
      spec.name == "ws" && start.x.empty() && GramPath::applies(problem);  // the method is made if it fails
  return made->by_gram_ || made->make_method() ? std::move(made) : nullptr;
}

bool ContinuedRun::make_method() {
  if (solver_) return true;
  auto solver = make_solver(problem_, spec_, start_);
  follows_ = dynamic_cast<FollowsPenalty*>(solver.get());
  if (follows_ != nullptr) solver_ = std::move(solver);
  return follows_ != nullptr;
}

std::optional<SolverSpec> ContinuedRun::spec_for(const Problem& problem, const SolverSpec& spec) {
  if (!problem.is_scalar()) return std::nullopt;
  SolverSpec chosen = spec;
  if (problem.penalty.l2() == 0) {
    if (!(problem.penalty.l1() > 0 && problem.gamma() > 0) || (spec.name != "auto" && spec.name != "ws"))
      return std::nullopt;
    chosen.name = "ws";
    chosen.options["screening"] = "off";  // the next value needs v of all features
    return chosen;
  }
  if (spec.name == "auto") {
    const std::vector<Estimate> methods = candidates(problem, spec);
    if (methods.empty()) return std::nullopt;
    chosen.name = methods[0].name;
    chosen.options.clear();
  }
  if (chosen.name != "newton" && chosen.name != "ssn") return std::nullopt;
  return chosen;
}

// Epochs until the method's gap is below the tolerance; nothing then, otherwise why they ended.
std::optional<Termination> ContinuedRun::take_epochs(const Criteria& criteria, double passes_before,
                                                     Stopping& stopping) {
  double smallest = infinity;
  int since = 0;
  for (;;) {
    const double target = safety * criteria.target_gap(follows_->primal());
    const Work work = solver_->work();
    const double gap = work.estimated_gap.value_or(infinity);
    if (gap <= target) return std::nullopt;
    if (stopping.interrupted()) return Termination::interrupted;
    if (stopping.out_of_time()) return Termination::time_limit;
    if (work.passes - passes_before >= criteria.max_passes) return Termination::pass_limit;
    since = gap <= enough_fall * smallest ? 0 : since + 1;
    smallest = std::min(smallest, gap);
    if (since > most_epochs) return Termination::stalled;
    const StopScope scope(&stopping);
    solver_->on_check({{.primal = follows_->primal(), .gap = 0}, target});  // the tolerance follows P
    solver_->epoch();
  }
}

// A gap of at most `enough` is not computed with more precision.
Certificate ContinuedRun::prove(Point& point, double enough) {
  if (!by_norms_) by_norms_ = NormwiseCertifier::make(problem_);
  if (*by_norms_)
    if (const auto certificate = (*by_norms_)->certify(point, enough)) return *certificate;
  return certifier_.certify_rigorously(point, enough);
}

void ContinuedRun::begin() {
  make_method();
  if (begun_) follows_->penalty_changed();
  begun_ = true;
}

std::vector<std::vector<double>> ContinuedRun::take_dual_points() {
  return gram_ ? gram_->take_dual_points() : std::exchange(dual_points_, {});
}

Outcome ContinuedRun::fit_unproved(const Criteria& criteria, const StopPredicate& should_stop) {
  if (!(criteria.gap >= least_unproved)) return fit(criteria, should_stop);
  Stopping stopping(criteria.seconds, should_stop);
  begin();
  const double passes_before = solver_->work().passes;
  Outcome outcome;
  outcome.termination = take_epochs(criteria, passes_before, stopping).value_or(Termination::converged);
  solver_->read(outcome.point);
  const Work work = solver_->work();
  Certificate& found = outcome.certificate;
  found.guaranteed = false;
  found.primal = follows_->primal();
  found.gap = work.estimated_gap.value_or(infinity);
  found.dual = found.primal - found.gap;
  outcome.last = {static_cast<const Bounds&>(found)};
  outcome.last.passes = work.passes - passes_before;
  return outcome;
}

Outcome ContinuedRun::fit(const Criteria& criteria, const StopPredicate& should_stop) {
  Stopping stopping(criteria.seconds, should_stop);
  if (by_gram_) {
    if (!gram_) gram_ = GramPath::make(problem_);
    if (gram_)
      if (auto outcome = gram_->fit(criteria, stopping)) {
        if (!deferred_) outcome->point.y = std::move(gram_->take_dual_points().front());
        return std::move(*outcome);
      }
    dual_points_ = take_dual_points();
    by_gram_ = false;
    gram_.reset();
  }
  return fit_by_method(criteria, stopping,
                       [&](Point& point, double enough, const std::vector<double>*) { return prove(point, enough); });
}

Outcome ContinuedRun::fit(const Criteria& criteria, const StopPredicate& should_stop, const Certify& certify) {
  Stopping stopping(criteria.seconds, should_stop);
  return fit_by_method(criteria, stopping, certify);
}

Outcome ContinuedRun::fit_by_method(const Criteria& criteria, Stopping& stopping, const Certify& certify) {
  begin();
  const double passes_before = solver_->work().passes;
  Outcome outcome;
  for (int proofs = 1;; ++proofs) {
    const std::optional<Termination> end = take_epochs(criteria, passes_before, stopping);
    solver_->read(outcome.point);
    // A gap below the tolerance is not computed with more precision.
    outcome.certificate = certify(outcome.point, safety * criteria.target_gap(follows_->primal()), follows_->scores());
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
