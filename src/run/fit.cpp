#include "run/fit.h"

#include <fmt/format.h>

#include "seesaw/error.h"
#include "solvers/catalog.h"

namespace seesaw {
namespace {

Start start_from(const LinearModel& warm, const Dataset& data, const Problem& problem) {
  if (warm.features() > data.d() || data.d() > warm.features())
    throw Error(fmt::format("the warm start has {} features and {} has {}; they must be the same.", warm.features(),
                            data.source, data.d()));
  Start start;
  start.intercept = problem.free_intercept() ? warm.intercept : 0;
  if (warm.y.size() == data.n()) {
    start.y = warm.y;
    return start;
  }
  const std::vector<double> z = decision_values(warm, data);
  start.y.resize(z.size());
  std::visit(
      [&](const auto& loss) {
        for (std::size_t i = 0; i < z.size(); ++i) start.y[i] = loss.slope(problem.target[i], z[i]);
      },
      problem.loss);
  return start;
}

}  // namespace

Fit fit(const Dataset& data, const FitSpec& spec, const LinearModel* warm, const Observers& observers,
        const StopAsked& stop_asked) {
  validate(spec.criteria);
  Fit result;
  LinearModel& model = result.model;
  model.transform = fit_transform(data, spec.scaling, spec.objective.intercept == Intercept::penalized);
  const Dataset prepared = apply(model.transform, data, spec.precision);
  const Problem problem = make_problem(prepared, spec.objective);
  const std::unique_ptr<Solver> solver =
      make_solver(problem, spec.solver, warm == nullptr ? Start{} : start_from(*warm, data, problem));

  for (Observer* observer : observers) observer->begin({problem, spec.solver, spec.criteria});
  result.outcome = run(*solver, problem, spec.criteria, observers, stop_asked);

  const Outcome& outcome = result.outcome;
  model.objective = solved_objective(problem);
  model.labels = problem.labels;
  model.x = outcome.point.x;
  model.intercept = outcome.point.intercept;
  model.certificate = outcome.certificate;
  model.y = outcome.point.y;
  model.n = data.n();
  model.data_hash = content_hash(data);
  model.single_precision = spec.precision == Precision::single;
  model.solver = spec.solver.name;
  model.status = name_of(outcome.termination);
  model.passes = outcome.last.passes;
  model.seed = spec.solver.seed;
  model.feature_names = data.feature_names;
  return result;
}

}  // namespace seesaw
