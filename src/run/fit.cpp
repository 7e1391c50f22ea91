#include "run/fit.h"

#include <fmt/format.h>

#include "seesaw/error.h"
#include "solvers/catalog.h"

namespace seesaw {
namespace {

bool same(const Transform& a, const Transform& b) {
  return a.constant_feature == b.constant_feature && a.scaling == b.scaling && a.factor == b.factor &&
         a.column_factors == b.column_factors;
}

// What a model gives a new run: its point where the features are the same, and a dual point for the method to start
// from.
struct WarmStart {
  Start start;
  std::optional<Point> known;
};

WarmStart start_from(const LinearModel& warm, const Dataset& data, std::uint64_t data_hash, const Transform& transform,
                     const Problem& problem) {
  if (warm.features() != data.d())
    throw Error(fmt::format("the warm start has {} features and {} has {}; they must be the same.", warm.features(),
                            data.source, data.d()));
  WarmStart result;
  std::vector<double>& y = result.start.y;
  result.start.intercept = warm.intercept;
  if (warm.y.size() == data.n() && warm.data_hash == data_hash && warm.objective.loss == problem.kind->name) {
    y = warm.y;
  } else {  // y_i = phi_i'(z_i)
    y = decision_values(warm, data);
    std::visit(
        [&](const auto& loss) {
          for (std::size_t i = 0; i < y.size(); ++i) y[i] = loss.slope(problem.target[i], y[i]);
        },
        problem.loss);
  }
  if (same(warm.transform, transform)) result.known = Point{warm.x, warm.intercept, y};
  return result;
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
  const std::uint64_t data_hash = content_hash(data);
  WarmStart begin;
  if (warm != nullptr) begin = start_from(*warm, data, data_hash, model.transform, problem);
  const std::unique_ptr<Solver> solver = make_solver(problem, spec.solver, begin.start);

  for (Observer* observer : observers) observer->begin({problem, spec.solver, spec.criteria});
  result.outcome = run(*solver, problem, spec.criteria, observers, stop_asked, begin.known ? &*begin.known : nullptr);

  const Outcome& outcome = result.outcome;
  model.objective = solved_objective(problem);
  model.labels = problem.labels;
  model.x = outcome.point.x;
  model.intercept = outcome.point.intercept;
  model.certificate = outcome.certificate;
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
