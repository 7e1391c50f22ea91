#include "run/fit_groups.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/stopwatch.h"
#include "kernels/isa.h"
#include "model/groups/group_certificate.h"
#include "model/groups/group_intercept.h"
#include "model/groups/group_losses.h"
#include "run/fit_steps.h"
#include "run/group_blocks.h"
#include "seesaw/error.h"
#include "solvers/catalog.h"
#include "solvers/saddle/iteration.h"

namespace seesaw {
namespace {

constexpr double first_perturbation = 0.1, next_perturbation = 0.25;
constexpr double proximal_part = 0.5;  // of the gap, at which the proximal term of the intercept is centred again
constexpr double wider = 1 + 0x1p-40;  // of the radius, for the roundings of another computation of it

constexpr std::pair<std::string_view, saddle::Method> methods[] = {{"sdca", saddle::Method::sdca},
                                                                   {"spdc", saddle::Method::spdc},
                                                                   {"adaspdc", saddle::Method::adaspdc},
                                                                   {"spdhg", saddle::Method::spdhg},
                                                                   {"bpd", saddle::Method::bpd}};

struct Choice {
  saddle::Method method;
  std::string reason = {};  // of `auto`
};

// With k = mean |A_g|^2/(lambda m), sdca takes passes in proportion to k and spdhg to sqrt(k), from about the same number
// at k = 1 (measured); a step of spdhg costs d operations beside the entries of the group.
Choice choose(const SolverSpec& spec, const GroupProblem& problem, const saddle::Problem& blocks) {
  using saddle::Method;
  for (const auto& [name, method] : methods)
    if (spec.name == name) return {method};
  double squares = 0;
  for (std::size_t g = 0; g < blocks.blocks(); ++g) squares += blocks.norm(g) * blocks.norm(g);
  const auto m = static_cast<double>(blocks.blocks()), d = static_cast<double>(blocks.dimension());
  const double entries = std::max(1.0, static_cast<double>(problem.rows.data->nnz) / m);
  const double lambda_m = problem.rows.penalty.l2() * m, mean = squares / m;
  const bool ascent = std::sqrt(mean / lambda_m) <= 1 + d / entries;
  return {ascent ? Method::sdca : Method::spdhg,
          fmt::format("selected {}: lambda m = {:.3g}, mean |A_g|^2 = {:.3g}, {:.3g} entries per group, {} features",
                      ascent ? "sdca" : "spdhg", lambda_m, mean, entries, problem.rows.d())};
}

// The loop of passes and checks. P and D of checks are plain sums; the run ends as converged by the rigorous certificate.
class GroupRun {
 public:
  GroupRun(const GroupProblem& problem, GroupBlocks& blocks, saddle::Method method, const SolverSpec& solver,
           const Criteria& criteria, const Observers& observers, const StopPredicate& should_stop)
      : problem_(problem),
        blocks_(blocks),
        criteria_(criteria),
        observers_(observers),
        perturbed_(method != saddle::Method::sdca && method != saddle::Method::bpd),
        perturbation_(perturbed_ ? first_perturbation * blocks.value_at_zero() : 0),
        stopping_(criteria.seconds, should_stop),
        iteration_(first_centre(blocks, problem).problem(),
                   {.method = method, .seed = solver.seed, .perturb_dual = perturbation_}) {}

  Outcome finish() {
    for (;;) {
      if (const auto end = check()) {
        outcome_.termination = *end;
        break;
      }
      advance();
    }
    const double radius = *outcome_.certificate.distance_bound * wider;
    if (std::isfinite(radius) && !blocks_.has_intercept()) outcome_.optimum = OptimumBounds{{}, {radius}, {{0, 0}}};
    outcome_.last = outcome_.trace.back();
    outcome_.last.check_seconds = checking_.seconds();
    return std::move(outcome_);
  }

 private:
  struct Checked {
    double primal, dual;
  };

  // The proximal term of a free intercept begins at the best one for x = 0.
  static GroupBlocks& first_centre(GroupBlocks& blocks, const GroupProblem& problem) {
    if (blocks.has_intercept()) blocks.centre_at(best_intercept(problem, std::vector<double>(problem.rows.n()), 0));
    return blocks;
  }

  Point latest() const {
    Point point{.x = iteration_.x(), .y = blocks_.of_rows(iteration_.y())};
    if (blocks_.has_intercept()) point.x.pop_back();
    return point;
  }

  // P and D of the problem as posed. With a free intercept P has the best one for x, and both are rigorous: a dual point
  // with sum 0 is that of the certificate. The proximal term is centred at the intercept of the iterate as soon as the gap
  // of the problem with that term is a small part of the gap.
  Checked measure() {
    const saddle::Sizes now = iteration_.measure();
    if (!blocks_.has_intercept()) return {now.primal, now.dual};
    Point point = latest();
    const double accuracy = well_below * criteria_.target_gap(now.primal);
    point.intercept = {best_intercept(problem_, blocks_.scores(iteration_.x()), accuracy)};
    const double intercept = point.intercept[0];
    const Certificate found = certify_rigorously(problem_, point, infinity);
    if (outcome_.trace.empty() || found.primal < best_primal_) intercept_ = intercept;
    const double gap = std::min(best_primal_, found.primal) - std::max(best_dual_, found.dual);
    if (now.gap <= proximal_part * gap) next_centre_ = blocks_.intercept(iteration_.x().back());
    return {found.primal, found.dual};
  }

  std::optional<Termination> check() {
    const Checked now = timed(checking_, [&] { return measure(); });
    const bool first = outcome_.trace.empty();
    if (first || now.primal < best_primal_) {
      best_primal_ = now.primal;
      x_ = latest().x;
      proved_ = false;
    }
    if (first || now.dual > best_dual_) {
      best_dual_ = now.dual;
      y_ = latest().y;
      proved_ = false;
    }
    const Bounds bounds{best_primal_, best_dual_, std::max(0.0, best_primal_ - best_dual_)};
    if (first || progressed(progress_, bounds)) {
      progress_ = bounds;
      state_.passes_of_progress = passes_;
      state_.stationary = true;
    }
    state_.stationary = state_.stationary && as_good_to_nine_digits(bounds, now.primal, now.dual);
    static_cast<Bounds&>(state_) = bounds;
    state_.passes = passes_;
    state_.seconds = solving_.seconds() + checking_.seconds();
    if (stopping_.out_of_time()) state_.seconds = std::max(state_.seconds, criteria_.seconds);
    state_.latest_primal = now.primal;
    if (first) state_.first_primal = std::max(now.primal, blocks_.value_at_zero());  // the first b may be optimal

    std::optional<Termination> end = decide(criteria_, state_);
    if (end == Termination::converged && passes_ < next_proof_) {  // of the proof that missed
      state_.gap = std::max(state_.gap, outcome_.certificate.gap);
      end = decide(criteria_, state_);
    }
    if (end) {  // the outcome is proved in any case
      prove();
      next_proof_ = next_proof_after(passes_);
      const std::optional<Termination> proved = decide(criteria_, state_);
      end = end == Termination::converged || proved == Termination::converged ? proved : end;
    }
    report(now);
    return end;
  }

  void prove() {
    if (!proved_) {
      Point& point = outcome_.point;
      point = {.x = x_, .intercept = {intercept_}, .y = y_};
      const double enough = well_below * criteria_.target_gap(state_.primal);
      outcome_.certificate = timed(checking_, [&] { return certify_rigorously(problem_, point, enough); });
      proved_ = true;
    }
    static_cast<Bounds&>(state_) = static_cast<const Bounds&>(outcome_.certificate);
  }

  void report(const Checked& now) {
    TraceRow row{static_cast<const Bounds&>(state_)};
    row.passes = row.entry_passes = passes_;
    row.solve_seconds = solving_.seconds();
    row.check_seconds = checking_.seconds();
    row.latest_primal = now.primal;
    row.latest_dual = now.dual;
    const std::span<const double> weights = std::span(iteration_.x()).first(problem_.rows.d());
    row.nonzeros = weights.size() - static_cast<std::size_t>(std::count(weights.begin(), weights.end(), 0.0));
    if (perturbed_) row.diagnostics.push_back({"smoothing", perturbation_});
    outcome_.trace.push_back(row);
    for (Observer* observer : observers_) observer->check(row);
  }

  // The perturbation (e/2)|y_g|^2 of every conjugate costs at most e/2 of the gap, since |y_g| <= 1: it is reduced to the
  // tolerance as the gap falls.
  void reduce_perturbation(double target) {
    const double part = blocks_.has_intercept() ? proximal_part * target : target;
    const double least = std::max(part, no_progress * std::abs(state_.primal));
    if (!perturbed_ || state_.gap > perturbation_ || perturbation_ <= least) return;
    perturbation_ = std::max(next_perturbation * perturbation_, least);
    iteration_.set_dual_perturbation(perturbation_);
  }

  void advance() {
    const double target = criteria_.target_gap(state_.primal);
    const StopScope scope(&stopping_);
    iteration_.restart(state_.gap);
    reduce_perturbation(target);
    if (next_centre_) {
      blocks_.centre_at(*next_centre_);
      next_centre_.reset();
      iteration_.begin_again();
    }
    const Forecast forecast{.passes = forecaster_.update({passes_, state_.gap}, target).passes};
    const double due = next_check(criteria_, passes_, forecast);
    do {
      timed(solving_, [&] { iteration_.pass(); });
      passes_ += 1;
      state_.interrupted = stopping_.interrupted();
    } while (passes_ < due && !state_.interrupted && !stopping_.out_of_time());
  }

  const GroupProblem& problem_;
  GroupBlocks& blocks_;
  const Criteria& criteria_;
  const Observers& observers_;
  const bool perturbed_;
  double perturbation_;
  Stopping stopping_;
  saddle::Iteration iteration_;
  Stopwatch solving_, checking_;
  Forecaster forecaster_;
  StopState state_;
  Outcome outcome_;
  Bounds progress_;
  std::vector<double> x_, y_;  // of the best bounds
  std::optional<double> next_centre_;
  double intercept_ = 0, best_primal_ = infinity, best_dual_ = -infinity, passes_ = 0, next_proof_ = 0;
  bool proved_ = false;
};

void require_supported(const Dataset& data, const FitSpec& spec) {
  if (const std::string problem = isa_problem(); !problem.empty()) throw Error(problem);
  validate(spec.criteria);
  validate_intercept(spec.objective);
  if (data.leaves().shares() != nullptr) throw Unsupported("a loss of groups needs one process.");
  if (spec.checkpoint) throw Unsupported("a fit with a loss of groups has no checkpoints; leave out `checkpoint`.");
  if (spec.until_labels_settle != nullptr)
    throw Unsupported("a fit with a loss of groups ends by its gap, not when labels settle.");
}

}  // namespace

std::string unsupported_by_groups(const SolverSpec& solver) {
  const bool known = std::any_of(std::begin(methods), std::end(methods),
                                 [&](const auto& method) { return method.first == solver.name; });
  if (!known && solver.name != "auto")
    return fmt::format(
        "{} does not solve problems with a loss of groups; choose `solver` sdca, spdc, adaspdc, spdhg or bpd",
        solver.name);
  if (!solver.options.empty())
    return fmt::format("the methods for a loss of groups have no options; leave out `{}`",
                       solver.options.begin()->first);
  return {};
}

Outcome solve_groups(const GroupProblem& problem, const GroupSolve& how, const Observers& observers,
                     const StopPredicate& should_stop) {
  if (const std::string why = unsupported_by_groups(how.solver); !why.empty()) throw Unsupported(why + ".");
  Stopwatch construction;
  construction.start();
  GroupBlocks blocks(problem);
  const Choice choice = choose(how.solver, problem, blocks.problem());
  RunInfo info{problem.rows, how.solver, how.criteria, how.scaling, how.factor};
  info.choice = choice.reason;
  for (Observer* observer : observers) observer->begin(info);
  GroupRun run(problem, blocks, choice.method, how.solver, how.criteria, observers, should_stop);
  construction.stop();
  Outcome outcome = run.finish();
  outcome.last.solve_seconds += construction.seconds();
  if (!choice.reason.empty()) outcome.method = name_of(choice.method);
  for (Observer* observer : observers) observer->end(outcome);
  return outcome;
}

Fit fit_groups(const Dataset& data, const RowGroups& groups, const FitSpec& spec, const Observers& observers,
               const StopPredicate& should_stop) {
  require_supported(data, spec);
  Fit result;
  LinearModel& model = result.model;
  model.transform = fit_transform(data, spec.scaling, spec.objective.constant_feature());
  const Dataset prepared = apply(model.transform, data, spec.precision);
  const GroupProblem problem = make_group_problem(prepared, groups, spec.objective);
  result.outcome =
      solve_groups(problem, {spec.solver, spec.criteria, spec.scaling, model.transform.factor}, observers, should_stop);
  model.data_hash = content_hash(data, groups);
  model.solver = spec.solver.name;
  set_outcome(model, data, spec, problem.rows, result.outcome);
  return result;
}

}  // namespace seesaw
