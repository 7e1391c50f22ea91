#include "study/subject.h"

#include <fmt/format.h>

#include "seesaw/error.h"

namespace seesaw {
namespace {

std::string without_folders(const std::string& path) { return path.substr(path.find_last_of('/') + 1); }

std::string name_of_problem(const Material& material, const Problem& problem) {
  std::string name = fmt::format("{}, {}", without_folders(material.source), problem.kind->name);
  if (!problem.kind->parameter.name.empty() && problem.loss_parameter != problem.kind->parameter.standard)
    name += fmt::format(" {} {:g}", problem.kind->parameter.name, problem.loss_parameter);
  if (problem.lambda > 0) name += fmt::format(", lambda {:.4g}", problem.lambda);
  if (problem.l1 > 0) name += fmt::format(", l1 {:.4g}", problem.l1);
  if (problem.lambda == 0 && problem.l1 == 0) name += ", no penalty";
  return name;
}

}  // namespace

Material prepare(Dataset data, Scaling scaling, bool constant_feature, Precision precision) {
  Material material;
  material.source = data.source;
  material.scaling = scaling;
  material.hash = content_hash(data);
  const Transform transform = fit_transform(data, scaling, constant_feature);
  material.prepared = transform.identity() && precision == Precision::exact
                          ? std::make_shared<const Dataset>(std::move(data))
                          : std::make_shared<const Dataset>(apply(transform, data, precision));
  material.columns = std::make_shared<ColumnCache>();
  return material;
}

std::shared_ptr<const Subject> make_subject(Material material, const Objective& objective, std::string name) {
  Problem problem = make_problem(*material.prepared, objective);
  if (problem.one_versus_rest)
    throw Error(fmt::format(
        "{} has {} classes, and with the loss {} each against the rest is a problem of its own; to compare methods on "
        "one problem choose --loss softmax or multiclass-hinge.",
        material.source, problem.labels.size(), problem.kind->name));
  problem.columns_on_demand = material.columns;
  if (name.empty()) name = name_of_problem(material, problem);
  return std::make_shared<const Subject>(Subject{std::move(name), std::move(material), objective, std::move(problem)});
}

}  // namespace seesaw
