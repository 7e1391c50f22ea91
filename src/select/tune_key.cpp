#include "select/tune_key.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "seesaw/version.h"

namespace seesaw {

using Json = nlohmann::ordered_json;

std::string identity_of(const Dataset& data, const Folds& folds, const TuneRequest& request,
                        const std::vector<const Metric*>& metrics) {
  const FitSpec& spec = request.fit;
  const Objective& objective = spec.objective;
  Json key;
  key["version"] = version();
  key["data"] = fmt::format("{:016x}", spec.data_hash ? *spec.data_hash : content_hash(data));
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const std::uint32_t fold : folds.of_row) hash = (hash ^ fold) * 0x100000001b3;
  key["folds"] = {{"count", folds.count}, {"forward", folds.forward}, {"hash", fmt::format("{:016x}", hash)}};
  key["coefficient"] = name_of(request.coefficient);
  if (objective.l1) key["l1"] = *objective.l1;
  key["intercept"] = {name_of(objective.intercept), objective.intercept_scaling};
  for (const auto& [label, weight] : objective.class_weights) key["class_weights"].push_back({label, weight});
  key["balanced"] = objective.balanced;
  key["factors"] = objective.penalty_factors;
  for (const double lo : objective.lower) key["lower"].push_back(fmt::format("{}", lo));
  for (const double hi : objective.upper) key["upper"].push_back(fmt::format("{}", hi));
  key["scaling"] = name_of(spec.scaling);
  key["float32"] = spec.precision == Precision::single;
  key["solver"] = {spec.solver.name, spec.solver.options, spec.solver.seed};
  key["criteria"] = {spec.criteria.gap, spec.criteria.gap_abs, fmt::format("{}", spec.criteria.max_passes)};
  for (const Metric* metric : metrics) key["metrics"].push_back(metric->name);
  return key.dump();
}

std::string key_of_chain(const std::string& identity, const TuneGroup& group, std::size_t fold,
                         const std::vector<std::optional<double>>& values) {
  Json key;
  key["loss"] = group.loss;
  if (group.loss_parameter) key["parameter"] = *group.loss_parameter;
  key["penalty"] = group.regularizer;
  if (group.mix) key["mix"] = *group.mix;
  key["fold"] = fold;
  for (const auto& value : values) key["values"].push_back(value ? Json(*value) : Json());
  return identity + key.dump();
}

std::string key_of_fit(const std::string& chain, std::size_t k) { return fmt::format("{}#{}", chain, k); }
std::string key_of_search(const std::string& chain) { return chain + "#search"; }

}  // namespace seesaw
