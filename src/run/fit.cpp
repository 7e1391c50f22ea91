#include "run/fit.h"

#include "base/stopwatch.h"
#include "kernels/isa.h"
#include "model/rigorous/optimum_region.h"
#include "model/screening.h"
#include "run/labels_settled.h"
#include "run/machine_costs.h"
#include "run/one_versus_rest.h"
#include "run/scaled_bounds.h"
#include "run/warm_start.h"
#include "seesaw/error.h"
#include "solvers/catalog.h"

namespace seesaw {
namespace {

// With the tolerance and the costs by which `auto` selects a method: built-in costs, unless measured ones are requested.
SolverSpec with_tolerance_and_costs(SolverSpec solver, const Criteria& criteria) {
  if (criteria.gap > 0) solver.gap = criteria.gap;
  const auto costs = solver.options.find("costs");
  if (solver.name == "auto" && costs != solver.options.end() && costs->second == "measured")
    solver.costs = machine_costs();
  return solver;
}

std::vector<Bounds> proved_bounds(const Outcome& outcome) {  // of the problem, or one per class
  std::vector<Bounds> bounds(outcome.classes.begin(), outcome.classes.end());
  if (bounds.empty()) bounds.push_back(outcome.certificate);
  return bounds;
}

}  // namespace

Outcome solve(const RunInfo& given, const Observers& observers, const StopPredicate& should_stop,
              const WarmStart& begin, const Checkpoints* checkpoints) {
  const SolverSpec method = with_tolerance_and_costs(given.solver, given.criteria);
  RunInfo info{given.problem, method, given.criteria, given.scaling};
  if (info.problem.is_one_versus_rest()) return run_one_versus_rest(info, begin, observers, should_stop, checkpoints);
  Stopwatch construction;
  Stopping stopping(info.criteria.seconds, should_stop);
  const auto solver = timed(construction, [&] {
    const StopScope scope(&stopping);
    return make_solver(info.problem, method, begin.start);
  });
  info.remark = message_for(info.problem, method).value_or("");
  info.choice = solver->diagnostics().selection;
  std::optional<CheckpointSeries> series;
  if (checkpoints != nullptr) {
    require_resumable(*solver, method.name);
    series.emplace(*checkpoints, "run");
  }
  for (Observer* observer : observers) {
    observer->begin(info);
    if (checkpoints != nullptr && !checkpoints->message().empty()) observer->message(checkpoints->message());
  }
  return run(*solver, info.problem, info.criteria, observers, should_stop, begin.known ? &*begin.known : nullptr,
             construction.seconds(), series ? &*series : nullptr);
}

Fit fit(const Dataset& data, const FitSpec& spec, const LinearModel* warm, const Observers& observers,
        const StopPredicate& should_stop) {
  if (const std::string problem = isa_problem(); !problem.empty()) throw Error(problem);
  validate(spec.criteria);
  validate_intercept(spec.objective);
  if (spec.checkpoint) validate(*spec.checkpoint, spec.solver.name);
  Fit result;
  LinearModel& model = result.model;
  model.transform = fit_transform(data, spec.scaling, spec.objective.constant_feature());
  const Dataset prepared = apply(model.transform, data, spec.precision);
  const Problem problem = make_problem(prepared, with_scaled_bounds(spec.objective, model.transform));
  const std::uint64_t data_hash = spec.data_hash ? *spec.data_hash : content_hash(data);
  WarmStart begin;
  if (warm != nullptr) begin = start_from(*warm, {data, prepared, model.transform, data_hash}, problem);
  std::optional<Checkpoints> checkpoints;
  if (spec.checkpoint) {
    const SolverSpec method = with_tolerance_and_costs(spec.solver, spec.criteria);
    checkpoints.emplace(*spec.checkpoint, identity_of({problem, method, spec.criteria, spec.scaling}, data_hash,
                                                      spec.precision == Precision::single));
  }
  Criteria criteria = spec.criteria;
  if (spec.until_labels_settle != nullptr)
    criteria.until = until_labels_settle(problem, model.transform, *spec.until_labels_settle, spec.precision);
  result.outcome = solve({problem, spec.solver, criteria, spec.scaling}, observers, should_stop, begin,
                         checkpoints ? &*checkpoints : nullptr);

  Stopwatch proving;
  timed(proving, [&] {
    const std::vector<Bounds> bounds = proved_bounds(result.outcome);
    result.proved_zero = count_proved_zero(problem, result.outcome.point.y, bounds);
    if (result.outcome.certificate.guaranteed) model.optimum = optimum_region(problem, result.outcome.point, bounds);
  });
  result.outcome.last.check_seconds += proving.seconds();

  const Outcome& outcome = result.outcome;
  model.objective = solved_objective(problem);
  model.labels = problem.labels;
  model.x = outcome.point.x;
  model.intercept = outcome.point.intercept;
  model.certificate = outcome.certificate;
  model.classes = outcome.classes;
  model.y = outcome.point.y;
  model.n = data.n();
  model.data_hash = data_hash;
  model.single_precision = spec.precision == Precision::single;
  model.solver = spec.solver.name;
  model.status = name_of(outcome.termination);
  model.passes = outcome.last.passes;
  model.seed = spec.solver.seed;
  model.feature_names = data.feature_names;
  return result;
}

}  // namespace seesaw
