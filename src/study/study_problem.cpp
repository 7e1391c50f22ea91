#include "study/study_problem.h"

#include <fmt/format.h>

#include "run/scaled_bounds.h"
#include "seesaw/error.h"

namespace seesaw {
namespace {

std::string without_folders(const std::string& path) { return path.substr(path.find_last_of('/') + 1); }

// A coefficient that was given is printed as given, a derived one rounded.
std::string coefficient(const char* name, double value, const std::optional<double>& given,
                        const std::optional<double>& C) {
  if (value == 0) return "";
  if (given) return fmt::format(", {} {}", name, value);
  return fmt::format(", {} {:.4g}{}", name, value, C ? fmt::format(" (C {})", *C) : "");
}

std::string name_of_problem(const PreparedData& prepared, const Objective& given, const Problem& problem) {
  std::string name = fmt::format("{}{}, {}", prepared.name, prepared.reading, problem.kind->name);
  if (!prepared.groups && !problem.kind->parameter.name.empty() &&
      problem.loss_parameter != problem.kind->parameter.standard)
    name += fmt::format(" {} {}", problem.kind->parameter.name, problem.loss_parameter);
  name += coefficient("lambda", problem.penalty.l2(), given.lambda, given.C);
  name += coefficient("l1", problem.penalty.l1(), given.l1, problem.penalty.l2() == 0 ? given.C : std::nullopt);
  if (problem.penalty.l2() == 0 && problem.penalty.l1() == 0) name += ", no penalty";
  if (problem.intercept != Intercept::free) name += fmt::format(", intercept {}", name_of(problem.intercept));
  if (prepared.transform.scaling != Scaling::none)
    name += fmt::format(", scale {}", name_of(prepared.transform.scaling));
  if (given.balanced) name += ", balanced classes";
  for (const auto& [label, weight] : given.class_weights) name += fmt::format(", class {} weight {}", label, weight);
  return name;
}

}  // namespace

PreparedData prepare(Dataset data, Scaling scaling, double constant, Precision precision) {
  PreparedData prepared;
  prepared.source = data.source;
  prepared.name = without_folders(data.source);
  prepared.hash = content_hash(data);
  prepared.transform = fit_transform(data, scaling, constant);
  prepared.data = prepared.transform.identity() && precision == Precision::exact
                      ? std::make_shared<const Dataset>(std::move(data))
                      : std::make_shared<const Dataset>(apply(prepared.transform, data, precision));
  prepared.columns = std::make_shared<ColumnCache>();
  return prepared;
}

std::shared_ptr<const StudyProblem> make_study_problem(PreparedData prepared, const Objective& objective,
                                                       std::string name) {
  const Objective scaled = with_scaled_bounds(objective, prepared.transform);
  std::optional<GroupProblem> groups;
  if (prepared.groups) groups = make_group_problem(*prepared.data, *prepared.groups, scaled);
  Problem problem = groups ? groups->rows : make_problem(*prepared.data, scaled);
  if (problem.is_one_versus_rest())
    throw Error(
        fmt::format("{} has {} classes; with the loss {} one-versus-rest is one problem per class. To compare methods "
                    "on one problem, "
                    "choose --loss softmax or multiclass-hinge.",
                    prepared.source, problem.labels.size(), problem.kind->name));
  problem.columns_on_demand = prepared.columns;
  if (name.empty()) name = name_of_problem(prepared, objective, problem);
  return std::make_shared<const StudyProblem>(
      StudyProblem{std::move(name), std::move(prepared), objective, std::move(problem), std::move(groups)});
}

}  // namespace seesaw
