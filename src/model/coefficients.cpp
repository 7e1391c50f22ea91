#include "model/coefficients.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "model/folded_weights.h"
#include "model/several_targets.h"

namespace seesaw {

std::string feature_name(const LinearModel& model, std::size_t feature) {
  if (feature < model.feature_names.size()) return model.feature_names[feature];
  if (!model.table || model.table->hash_size == 0 || feature >= model.table->features()) return {};
  const std::size_t first = model.table->features() - model.table->hash_size;
  return feature < first ? std::string() : fmt::format("hash {}", feature - first);
}

std::vector<Coefficient> largest_coefficients(const LinearModel& model, std::size_t count) {
  const FoldedWeights folded = folded_weights(model);
  const std::size_t outputs = model.outputs();
  std::vector<std::size_t> order(folded.x.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::erase_if(order, [&](std::size_t at) { return model.x[at] == 0; });
  const auto larger = [&](std::size_t a, std::size_t b) {
    const double of_a = std::abs(model.x[a]), of_b = std::abs(model.x[b]);
    return of_a != of_b ? of_a > of_b : a < b;
  };
  count = std::min(count, order.size());
  std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(count), order.end(), larger);

  std::vector<Coefficient> largest;
  for (std::size_t k = 0; k < count; ++k) {
    const std::size_t at = order[k], feature = at / outputs;
    largest.push_back({.feature = feature,
                       .name = feature_name(model, feature),
                       .label = outputs > 1 ? std::optional(output_label(model, at % outputs)) : std::nullopt,
                       .value = model.x[at],
                       .unscaled = folded.x[at]});
  }
  return largest;
}

std::vector<double> intercepts(const LinearModel& model) {
  FoldedWeights folded = folded_weights(model);
  for (std::size_t k = 0; k < model.outputs(); ++k) folded.intercept[k] += folded.constant[k];
  return folded.intercept;
}

}  // namespace seesaw
