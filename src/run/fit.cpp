#include "run/fit.h"

#include <fmt/format.h>

#include "base/first_rank.h"
#include "base/freed_memory.h"
#include "base/stopwatch.h"
#include "data/extents.h"
#include "kernels/isa.h"
#include "model/penalty/unpenalized.h"
#include "model/rigorous/proved_signs.h"
#include "run/fit_steps.h"
#include "run/labels_settled.h"
#include "run/machine_costs.h"
#include "run/one_versus_rest.h"
#include "run/scaled_bounds.h"
#include "run/warm_start.h"
#include "seesaw/error.h"
#include "solvers/catalog.h"

namespace seesaw {

SolverSpec with_tolerance_and_costs(SolverSpec solver, const Criteria& criteria) {
  if (criteria.gap > 0) solver.gap = criteria.gap;
  const auto costs = solver.options.find("costs");
  if (solver.name == "auto" && costs != solver.options.end() && costs->second == "measured")
    solver.costs = machine_costs();
  return solver;
}

namespace {

std::vector<Bounds> proved_bounds(const Outcome& outcome) {  // one per class
  return {outcome.classes.begin(), outcome.classes.end()};
}

// What several processes do not support. The hash of the data is that of the whole: the caller has it.
void require_shared(const Problem& problem, const FitSpec& spec, const SolverSpec& solver, bool warm) {
  if (!recipe_named(solver.name).over_ranks)
    throw Unsupported(fmt::format("{} does not run on several processes: {}; choose `solver` {}.", solver.name,
                                  recipe_named(solver.name).random
                                      ? "it draws single rows, one after the other, from all of them"
                                      : "its sums over rows are not divided among them",
                                  methods_over_ranks()));
  if (!unpenalized_features(problem.penalty, problem.d()).empty() && problem.penalty.l2() + problem.penalty.l1() > 0)
    throw Unsupported("penalty factors of 0 need one process: the proof of their bounds uses all rows at once.");
  if (warm) throw Unsupported("a warm start needs one process.");
  if (spec.until_labels_settle != nullptr) throw Unsupported("to end when labels settle needs one process.");
  if (!spec.data_hash) throw Error("the content hash of shared data is computed before the rows are divided.");
}

}  // namespace

Outcome solve(const RunInfo& given, const Observers& observers, const StopPredicate& should_stop,
              const WarmStart& begin, const Checkpoints* checkpoints) {
  const SolverSpec method = with_tolerance_and_costs(given.solver, given.criteria);
  RunInfo info{given.problem, method, given.criteria, given.scaling, given.factor};
  if (info.problem.is_one_versus_rest()) return run_one_versus_rest(info, begin, observers, should_stop, checkpoints);
  Stopwatch construction;
  Stopping stopping(info.criteria.seconds, should_stop);
  const auto solver = timed(construction, [&] {
    const StopScope scope(info.problem.leaves().shares() == nullptr ? &stopping : nullptr);
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
             construction.seconds(), series ? &*series : nullptr, begin.none());
}

namespace {

// own: null, or the data itself, whose rows may be taken.
Fit fit_of(const Dataset& data, Dataset* own, const FitSpec& spec, const LinearModel* warm, const Observers& observers,
           const StopPredicate& should_stop) {
  if (const std::string problem = isa_problem(); !problem.empty()) throw Error(problem);
  if (extents_of(data.rows) == nullptr) keep_freed_memory();
  validate(spec.criteria);
  validate_intercept(spec.objective);
  const Shares* const shares = data.leaves().shares();
  if (spec.checkpoint)
    on_first(shares == nullptr ? nullptr : shares->ranks, [&] { validate(*spec.checkpoint, spec.solver.name); });
  Fit result;
  LinearModel& model = result.model;
  model.transform = fit_transform(data, spec.scaling, spec.objective.constant_feature());
  const std::uint64_t data_hash = spec.data_hash ? *spec.data_hash : content_hash(data);
  std::optional<Dataset> transformed;
  if (!model.transform.identity())
    transformed = own == nullptr ? apply(model.transform, data, spec.precision)
                                 : apply_taking_rows(model.transform, *own, spec.precision);
  const Dataset& prepared = transformed ? *transformed : data;
  const Problem problem =
      make_problem(prepared, with_scaled_bounds(spec.objective, model.transform), transformed ? nullptr : spec.facts);
  SolverSpec solver = spec.solver;
  if (problem.leaves().shares() != nullptr) {
    if (solver.name == "auto") solver.name = choose_over_ranks(problem);
    require_shared(problem, spec, solver, warm != nullptr);
  }
  WarmStart begin;
  if (warm != nullptr) begin = start_from(*warm, {data, prepared, model.transform, data_hash}, problem);
  std::optional<Checkpoints> checkpoints;
  if (spec.checkpoint) {
    const SolverSpec method = with_tolerance_and_costs(solver, spec.criteria);
    checkpoints.emplace(
        *spec.checkpoint,
        identity_of({problem, method, spec.criteria, spec.scaling}, data_hash, spec.precision == Precision::single),
        shares);
  }
  Criteria criteria = spec.criteria;
  criteria.region = true;
  criteria.signs = !problem.is_one_versus_rest();
  if (spec.until_labels_settle != nullptr)
    criteria.until = until_labels_settle(problem, model.transform, *spec.until_labels_settle, spec.precision);
  result.outcome = solve({problem, solver, criteria, spec.scaling, model.transform.factor}, observers, should_stop,
                         begin, checkpoints ? &*checkpoints : nullptr);

  Stopwatch proving;
  timed(proving, [&] {
    if (!result.outcome.certificate.guaranteed) return;
    model.proved_signs = problem.is_one_versus_rest()
                             ? proved_signs(problem, result.outcome.point.y, proved_bounds(result.outcome))
                             : result.outcome.proved_signs;
    if (!model.proved_signs.empty()) result.proved_zero = count_zero_features(model.proved_signs, problem.outputs());
  });
  result.outcome.last.check_seconds += proving.seconds();

  model.data_hash = data_hash;
  model.solver = solver.name;
  set_outcome(model, data, spec, problem, result.outcome);
  return result;
}

}  // namespace

Fit fit(const Dataset& data, const FitSpec& spec, const LinearModel* warm, const Observers& observers,
        const StopPredicate& should_stop) {
  return fit_of(data, nullptr, spec, warm, observers, should_stop);
}

Fit fit_taking_rows(Dataset& data, const FitSpec& spec, const LinearModel* warm, const Observers& observers,
                    const StopPredicate& should_stop) {
  return fit_of(data, warm == nullptr ? &data : nullptr, spec, warm, observers, should_stop);
}

void set_outcome(LinearModel& model, const Dataset& data, const FitSpec& spec, const Problem& problem,
                 const Outcome& outcome) {
  model.objective = solved_objective(problem);
  model.labels = problem.labels;
  model.x = outcome.point.x;
  model.intercept = outcome.point.intercept;
  model.certificate = outcome.certificate;
  model.classes = outcome.classes;
  model.optimum = outcome.optimum;
  model.y = outcome.point.y;
  model.n = data.all_rows();
  model.single_precision = spec.precision == Precision::single;
  model.status = name_of(outcome.termination);
  model.passes = outcome.last.passes;
  model.seed = spec.solver.seed;
  model.feature_names = data.feature_names;
}

}  // namespace seesaw
