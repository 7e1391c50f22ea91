#include "study/study_problem.h"

#include <fmt/format.h>

#include "seesaw/error.h"

namespace seesaw {
namespace {

std::string without_folders(const std::string& path) { return path.substr(path.find_last_of('/') + 1); }

// A coefficient that was given stands as it was given; one that follows from something else is rounded.
std::string coefficient(const char* name, double value, const std::optional<double>& given,
                        const std::optional<double>& C) {
  if (value == 0) return "";
  if (given) return fmt::format(", {} {}", name, value);
  return fmt::format(", {} {:.4g}{}", name, value, C ? fmt::format(" (C {})", *C) : "");
}

std::string name_of_problem(const PreparedData& prepared, const Objective& asked, const Problem& problem) {
  std::string name = fmt::format("{}{}, {}", prepared.name, prepared.reading, problem.kind->name);
  if (!problem.kind->parameter.name.empty() && problem.loss_parameter != problem.kind->parameter.standard)
    name += fmt::format(" {} {}", problem.kind->parameter.name, problem.loss_parameter);
  name += coefficient("lambda", problem.penalty.l2(), asked.lambda, asked.C);
  name += coefficient("l1", problem.penalty.l1(), asked.l1, problem.penalty.l2() == 0 ? asked.C : std::nullopt);
  if (problem.penalty.l2() == 0 && problem.penalty.l1() == 0) name += ", no penalty";
  if (problem.intercept != Intercept::free) name += fmt::format(", intercept {}", name_of(problem.intercept));
  if (prepared.scaling != Scaling::none) name += fmt::format(", scale {}", name_of(prepared.scaling));
  if (asked.balanced) name += ", balanced classes";
  for (const auto& [label, weight] : asked.class_weights) name += fmt::format(", class {} weighs {}", label, weight);
  return name;
}

}  // namespace

PreparedData prepare(Dataset data, Scaling scaling, bool constant_feature, Precision precision) {
  PreparedData prepared;
  prepared.source = data.source;
  prepared.name = without_folders(data.source);
  prepared.scaling = scaling;
  prepared.hash = content_hash(data);
  const Transform transform = fit_transform(data, scaling, constant_feature);
  prepared.data = transform.identity() && precision == Precision::exact
                      ? std::make_shared<const Dataset>(std::move(data))
                      : std::make_shared<const Dataset>(apply(transform, data, precision));
  prepared.columns = std::make_shared<ColumnCache>();
  return prepared;
}

std::shared_ptr<const StudyProblem> make_study_problem(PreparedData prepared, const Objective& objective,
                                                       std::string name) {
  Problem problem = make_problem(*prepared.data, objective);
  if (problem.one_versus_rest)
    throw Error(fmt::format(
        "{} has {} classes, and with the loss {} each against the rest is a problem of its own; to compare methods on "
        "one problem choose --loss softmax or multiclass-hinge.",
        prepared.source, problem.labels.size(), problem.kind->name));
  problem.columns_on_demand = prepared.columns;
  if (name.empty()) name = name_of_problem(prepared, objective, problem);
  return std::make_shared<const StudyProblem>(
      StudyProblem{std::move(name), std::move(prepared), objective, std::move(problem)});
}

}  // namespace seesaw
