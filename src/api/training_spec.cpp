#include "api/training_spec.h"

#include "solvers/catalog.h"

namespace seesaw {
namespace {

// Factors and bounds as Objective has them: both bounds of every feature, or none. make_problem() validates them.
void set_features(const PenaltySpec& penalty, std::size_t features, Objective& objective) {
  objective.penalty_factors = penalty.factors;
  objective.lower = penalty.lower;
  objective.upper = penalty.upper;
  if (objective.lower.empty() && (penalty.nonnegative || !objective.upper.empty()))
    objective.lower.assign(features, -infinity);
  if (objective.upper.empty() && !objective.lower.empty()) objective.upper.assign(features, infinity);
  if (penalty.nonnegative)
    for (double& lower : objective.lower)
      if (lower < 0) lower = 0;
}

}  // namespace

FitSpec spec_of(const Training& training, std::size_t features) {
  FitSpec spec;
  Objective& objective = spec.objective;
  objective.loss = training.loss.name;
  objective.loss_parameter = training.loss.parameter;
  if (training.penalty.name != PenaltyName::automatic) objective.regularizer = name_of(training.penalty.name);
  objective.lambda = training.penalty.lambda;
  objective.l1 = training.penalty.l1;
  objective.C = training.penalty.C;
  set_features(training.penalty, features, objective);
  objective.intercept = training.intercept;
  objective.intercept_scaling = training.intercept_scaling;
  objective.class_weights = training.class_weights;
  objective.balanced = training.balanced;
  spec.scaling = training.scaling;
  spec.precision = training.precision;
  spec.solver = {training.solver.empty() ? std::string(default_solver) : training.solver, training.solver_options,
                 training.seed};
  spec.criteria.choose_gaps(training.gap, training.gap_abs);
  spec.criteria.check_every = training.check_every;
  spec.criteria.choose_limits(training.max_passes, training.seconds);
  return spec;
}

}  // namespace seesaw
