#include "select/tune_request.h"

#include <fmt/format.h>

#include <cmath>

#include "model/penalty/penalty_kinds.h"
#include "seesaw/error.h"

namespace seesaw {
namespace {

std::string penalty_name(const TuneRequest& request, const TuneGroup& group) {
  if (!group.regularizer.empty()) return group.regularizer;
  if (group.mix || request.fit.objective.l1) return "elastic-net";
  return request.coefficient == SearchedCoefficient::l1 ? "l1" : "l2";
}

}  // namespace

std::string_view name_of(SearchedCoefficient coefficient) {
  return coefficient == SearchedCoefficient::C ? "C" : coefficient == SearchedCoefficient::lambda ? "lambda" : "l1";
}

bool has_coefficient(const TuneRequest& request, const TuneGroup& group) {
  const PenaltyKind& kind = penalty_kind(penalty_name(request, group));
  return kind.l2 || kind.l1;
}

PathLine line_of(const TuneRequest& request, const TuneGroup& group) {
  const std::string name = penalty_name(request, group);
  const PenaltyKind& kind = penalty_kind(name);
  const std::optional<double>& kept = request.fit.objective.l1;
  PathLine line;
  if (group.mix && !(kind.l1 && kind.l2))
    throw Error(fmt::format("`mix` belongs to `penalty` elastic-net, not to {}; omit it.", name));
  if (!kind.l2 && !kind.l1) return line;
  if (request.coefficient == SearchedCoefficient::lambda && !kind.l2)
    throw Error(fmt::format("`penalty` {} does not use `lambda`; search over `C` or `l1`.", name));
  if (request.coefficient == SearchedCoefficient::l1 && kind.l2)
    throw Error(fmt::format("`penalty` {} is searched over `C` or `lambda`{}, not over `l1`.", name,
                            kind.l1 ? " with a `mix`" : ""));
  if (kept && !(kind.l1 && kind.l2)) throw Error(fmt::format("`penalty` {} does not keep `l1`; omit it.", name));
  if (kind.l1 && kind.l2 && group.mix.has_value() == kept.has_value())
    throw Error("`penalty` elastic-net needs either `mix` or one number for `l1`, which is kept.");
  if (kind.l2) line.lambda_per = 1;
  else line.l1_per = 1;
  if (group.mix) line.l1_per = *group.mix / (1 - *group.mix);
  if (kept) line.l1 = *kept;
  return line;
}

Objective objective_of(const TuneRequest& request, const TuneGroup& group) {
  Objective objective = request.fit.objective;
  objective.loss = group.loss;
  objective.loss_parameter = group.loss_parameter;
  objective.regularizer = penalty_name(request, group);
  const PathLine line = line_of(request, group);
  const PenaltyKind& kind = penalty_kind(objective.regularizer);
  if (kind.l2) objective.lambda = line.lambda_at(1);
  if (kind.l1) objective.l1 = line.l1_at(1);
  return objective;
}

double parameter_at(const TuneRequest& request, double value, double total_weight) {
  return request.coefficient == SearchedCoefficient::C ? 1 / (value * total_weight) : value;
}

Objective chosen_objective(const TuneRequest& request, const Candidate& candidate, double total_weight) {
  const TuneGroup& group = request.groups[candidate.group];
  Objective objective = objective_of(request, group);
  objective.lambda.reset();
  objective.l1 = request.fit.objective.l1;
  if (!candidate.value) return objective;
  const PathLine line = line_of(request, group);
  const double t = parameter_at(request, *candidate.value, total_weight);
  if (group.mix) {
    objective.lambda = line.lambda_at(t);
    objective.l1 = line.l1_at(t);
  } else if (request.coefficient == SearchedCoefficient::C) {
    objective.C = *candidate.value;
  } else if (request.coefficient == SearchedCoefficient::lambda) {
    objective.lambda = *candidate.value;
  } else {
    objective.l1 = *candidate.value;
  }
  return objective;
}

void validate(const TuneRequest& request) {
  if (request.groups.empty()) throw Error("there is nothing to choose from: give a `loss`.");
  for (const double value : request.values)
    if (!(value > 0 && std::isfinite(value)))
      throw InvalidOption(std::string(name_of(request.coefficient)), fmt::format("{}", value),
                          "every value must be a number above 0");
  if (request.values.size() > 10000)
    throw InvalidOption(std::string(name_of(request.coefficient)), fmt::format("{} values", request.values.size()),
                        "at most 10000 values are tried");
  if (request.values.empty() && request.coefficient != SearchedCoefficient::C)
    throw Error(fmt::format("a search without values is over `C`; give values of `{}`.", name_of(request.coefficient)));
  bool classifies = false, regresses = false;
  for (const TuneGroup& group : request.groups) {
    if (group.mix && !(*group.mix > 0 && *group.mix < 1))
      throw InvalidOption("mix", fmt::format("{}", *group.mix),
                          "it must be a number in (0, 1); `penalty` l1 is the mix 1 and l2 the mix 0");
    line_of(request, group);
    if (group.loss.empty()) continue;
    const LossKind& kind = loss_kind(group.loss);
    (kind.target == Target::number ? regresses : classifies) = true;
    for (const std::string& metric : request.metrics) require_defined(metric_named(metric), kind);
  }
  for (const std::string& metric : request.metrics) metric_named(metric);
  if (classifies && regresses)
    throw Error("losses of classification and of regression cannot be compared; choose one kind of `loss`.");
  validate(request.fit.criteria);
  validate_intercept(request.fit.objective);
}

}  // namespace seesaw
