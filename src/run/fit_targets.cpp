#include "run/fit_targets.h"

#include <fmt/format.h>

#include <cmath>

#include "base/stopwatch.h"
#include "kernels/isa.h"
#include "model/several_targets.h"
#include "run/fit_steps.h"
#include "run/labels_settled.h"
#include "run/one_versus_rest.h"
#include "run/scaled_bounds.h"
#include "seesaw/error.h"
#include "solvers/auto/auto_solver.h"
#include "solvers/ridge_targets.h"

namespace seesaw {
namespace {

Objective with_loss(Objective objective) {
  if (objective.loss.empty()) objective.loss = "squared";
  if (const LossKind& kind = loss_kind(objective.loss); kind.target != Target::number)
    throw Error(
        fmt::format("several targets per row are numbers to predict, and the loss {} is for classes; choose a "
                    "regression loss such as `loss` squared.",
                    kind.name));
  return objective;
}

// The problem of each target; what does not depend on the target is computed once.
class TargetProblems {
 public:
  TargetProblems(const Dataset& prepared, const Targets& targets, Objective objective)
      : targets_(targets), data_(with_labels(prepared, targets.column(0))), first_(make_problem(data_, objective)) {
    if (first_.penalty.l1() > 0 && !objective.l1 && !(objective.C && first_.penalty.l2() == 0)) {  // by default
      double l1 = 0;
      for (std::size_t k = 0; k < targets.count; ++k)
        l1 = std::max(l1, make_problem(with_labels(prepared, targets.column(k)), objective).penalty.l1());
      objective.l1 = l1;
      first_ = make_problem(data_, objective);
    }
    for (const double b : targets.numbers)
      if (std::visit([&](const auto& loss) { return !std::isfinite(loss.value(b, 0)); }, first_.scalar().loss))
        throw Error(fmt::format("a target is {}, whose loss overflows; use smaller units.", b));
  }

  const Problem& first() const { return first_; }
  Problem operator()(std::size_t k) const {
    Problem problem = first_;
    problem.form = ScalarForm{first_.scalar().loss, targets_.column(k)};
    return problem;
  }

 private:
  const Targets& targets_;
  const Dataset data_;
  Problem first_;
};

void append(WarmStart& all, const WarmStart& one, std::size_t k, std::size_t K) {
  set_output(all.start.y, one.start.y, k, K);
  if (!one.start.x.empty()) set_output(all.start.x, one.start.x, k, K);
  set_output(all.start.intercept, one.start.intercept, k, K);
  if (!one.known) return;
  if (!all.known) all.known.emplace();
  set_output(all.known->x, one.known->x, k, K);
  set_output(all.known->y, one.known->y, k, K);
  set_output(all.known->intercept, one.known->intercept, k, K);
}

WarmStart start_from_targets(const LinearModel& warm, const TrainingData& data, const TargetProblems& problems,
                             std::size_t K) {
  if (warm.outputs() != K || !warm.labels.empty())
    throw Error(fmt::format("the warm start has {}, and the data has {} targets; use a model of the same targets.",
                            warm.labels.empty() ? fmt::format("{} outputs", warm.outputs()) : "classes", K));
  WarmStart all;
  for (std::size_t k = 0; k < K; ++k) append(all, start_from(target_model(warm, k), data, problems(k)), k, K);
  return all;
}

// Whether Newton's method would factor a matrix, which is the same for all targets.
bool shares_factor(const Problem& problem, const SolverSpec& method) {
  if (!ridge_targets_supported(problem) || !method.options.empty()) return false;
  if (method.name == "newton") return true;
  return method.name == "auto" && candidates(problem, method)[0].name == "newton";
}

}  // namespace

Fit fit_targets(const Dataset& data, const Targets& targets, const FitSpec& spec, const LinearModel* warm,
                const Observers& observers, const StopPredicate& should_stop) {
  if (const std::string problem = isa_problem(); !problem.empty()) throw Error(problem);
  validate(spec.criteria);
  validate_intercept(spec.objective);
  if (spec.checkpoint) validate(*spec.checkpoint, spec.solver.name);
  if (data.leaves().shares() != nullptr) throw Unsupported("several targets per row need one process.");
  const std::size_t K = targets.count;
  if (targets.rows() != data.n())
    throw ShapeError(data.n(), targets.rows(),
                     fmt::format("there are {} rows of targets for {} rows of data.", targets.rows(), data.n()));
  const Objective objective = with_loss(spec.objective);
  Fit result;
  LinearModel& model = result.model;
  model.transform = fit_transform(data, spec.scaling, objective.constant_feature());
  const Dataset prepared = apply(model.transform, data, spec.precision);
  const TargetProblems problems(prepared, targets, with_scaled_bounds(objective, model.transform));
  const Problem& first = problems.first();
  if (spec.until_labels_settle != nullptr)  // refused: there are no labels
    until_labels_settle(first, model.transform, *spec.until_labels_settle, spec.precision);
  const SolverSpec method = with_tolerance_and_costs(spec.solver, spec.criteria);
  model.data_hash = content_hash(data, targets);
  WarmStart begin;
  double shared_passes = 0;
  Stopwatch shared;
  if (warm != nullptr) {
    begin = start_from_targets(*warm, {data, prepared, model.transform, model.data_hash}, problems, K);
  } else if (K > 1 && !spec.checkpoint && shares_factor(first, method)) {
    timed(shared, [&] {
      const RidgeTargets solved = solve_ridge_targets(first, targets);
      begin.start = {solved.point.y, solved.point.x, solved.point.intercept};
      begin.known = solved.point;
      shared_passes = solved.passes;
    });
  }
  std::optional<Checkpoints> checkpoints;
  if (spec.checkpoint)
    checkpoints.emplace(
        *spec.checkpoint,
        identity_of({first, method, spec.criteria, spec.scaling}, model.data_hash, spec.precision == Precision::single),
        nullptr);
  SeparableParts parts{{}, [&](std::size_t k) { return problems(k); }, "target"};
  for (std::size_t k = 1; k <= K; ++k) parts.labels.push_back(static_cast<double>(k));
  Criteria criteria = spec.criteria;
  criteria.region = true;
  result.outcome = run_parts({first, method, criteria, spec.scaling, model.transform.factor}, parts, begin, observers,
                             should_stop, checkpoints ? &*checkpoints : nullptr);
  result.outcome.last.passes += shared_passes;
  result.outcome.last.entry_passes += shared_passes;
  result.outcome.last.solve_seconds += shared.seconds();
  model.solver = method.name;
  set_outcome(model, data, spec, first, result.outcome);
  return result;
}

}  // namespace seesaw
