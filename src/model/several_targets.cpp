#include "model/several_targets.h"

namespace seesaw {

double output_label(const LinearModel& model, std::size_t k) {
  return several_targets(model) ? static_cast<double>(k + 1) : model.labels[k];
}

std::vector<double> of_output(const std::vector<double>& all, std::size_t k, std::size_t outputs) {
  std::vector<double> one(all.size() / outputs);
  for (std::size_t at = 0; at < one.size(); ++at) one[at] = all[at * outputs + k];
  return one;
}

void set_output(std::vector<double>& all, const std::vector<double>& one, std::size_t k, std::size_t outputs) {
  all.resize(one.size() * outputs);
  for (std::size_t at = 0; at < one.size(); ++at) all[at * outputs + k] = one[at];
}

LinearModel target_model(const LinearModel& model, std::size_t k) {
  const std::size_t K = model.outputs();
  LinearModel one = model;
  one.x = of_output(model.x, k, K);
  one.intercept = {model.intercept[k]};
  one.y = of_output(model.y, k, K);
  one.classes.clear();
  if (model.certificate) {
    Certificate certificate = *model.certificate;
    static_cast<Bounds&>(certificate) = model.classes[k];
    certificate.distance_bound = std::nullopt;
    one.certificate = certificate;
  }
  if (model.optimum) {
    one.optimum = OptimumBounds{};
    one.optimum->radius = {model.optimum->radius[k]};
    one.optimum->intercept = {model.optimum->intercept[k]};
    if (!model.optimum->centre.empty()) one.optimum->centre = of_output(model.optimum->centre, k, K);
  }
  return one;
}

}  // namespace seesaw
