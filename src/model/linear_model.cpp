#include "model/linear_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/elementary.h"
#include "data/resident.h"
#include "model/folded_weights.h"
#include "model/losses/logistic_kernel.h"
#include "seesaw/error.h"

namespace seesaw {
namespace {

std::vector<double> row_divisors(const Dataset& data, const Transform& transform) {
  std::vector<double> divisors(data.n());
  std::visit(
      [&](const auto& rows) {
        resident(rows, 0, divisors.size(), [&](std::size_t first, std::size_t last) {
          for (std::size_t i = first; i < last; ++i) divisors[i] = row_divisor(transform, rows.row(i));
        });
      },
      data.rows);
  return divisors;
}

// z becomes exp(z_k) / sum exp(z), whatever the size of z.
void normalize_exponentials(std::vector<double>& z) {
  const double largest = *std::max_element(z.begin(), z.end());
  double sum = 0;
  for (double& zk : z) sum += zk = exp_of(zk - largest);
  for (double& zk : z) zk /= sum;
}

double log_of_logistic(double z) { return -logistic_value(z, exp_of(-std::abs(z))); }

}  // namespace

bool LinearModel::joint() const {
  const auto& kinds = block_loss_kinds();
  return std::any_of(kinds.begin(), kinds.end(), [&](const LossKind& kind) { return kind.name == objective.loss; });
}

SolvedObjective solved_objective(const Problem& problem) {
  SolvedObjective solved{.loss = std::string(problem.kind->name),
                         .loss_parameter_name = std::string(problem.kind->parameter.name),
                         .loss_parameter = problem.loss_parameter,
                         .lambda = problem.penalty.l2(),
                         .l1 = problem.penalty.l1(),
                         .intercept = problem.intercept,
                         .class_weights = {}};
  for (std::size_t k = 0; k < problem.class_weights.size(); ++k)
    solved.class_weights[problem.labels[k]] = problem.class_weights[k];
  if (problem.penalty.uniform()) return solved;
  const PenaltyFeatures& features = problem.penalty.features();
  solved.penalty_factors = features.l2_factor;
  solved.lower = features.lower;
  solved.upper = features.upper;
  if (problem.intercept == Intercept::penalized)  // without the constant feature, which is the last
    for (std::vector<double>* numbers : {&solved.penalty_factors, &solved.lower, &solved.upper})
      if (!numbers->empty()) numbers->pop_back();
  return solved;
}

std::vector<double> decision_values(const LinearModel& model, const Dataset& data) {
  if (data.d() > model.features())
    throw ShapeError(
        model.features(), data.d(),
        fmt::format(
            "{} has {} features, but the model was trained on {}: it has no weight for the others. Give it data "
            "with the same features.",
            data.source.empty() ? "the data" : data.source, data.d(), model.features()));
  if (data.fixed_width && data.d() < model.features())
    throw ShapeError(
        model.features(), data.d(),
        fmt::format("{} has {} features, but the model was trained on {}. Give it data with the same features.",
                    data.source.empty() ? "the data" : data.source, data.d(), model.features()));

  // Data with fewer features than the model: the missing features are 0.
  const FoldedWeights folded = folded_weights(model);
  const std::size_t outputs = model.outputs();
  std::vector<double> z(data.n() * outputs), divisors;
  multiply(data.rows, folded.x.data(), z.data(), outputs);
  if (model.transform.scaling == Scaling::rows) divisors = row_divisors(data, model.transform);
  for (std::size_t i = 0; i < data.n(); ++i) {
    const double divisor = divisors.empty() ? 1 : divisors[i];
    for (std::size_t k = 0; k < outputs; ++k) {
      double& score = z[i * outputs + k];
      score = (score + folded.constant[k]) / divisor + folded.intercept[k];
    }
  }
  return z;
}

double predicted_label(const LinearModel& model, const double* scores) {
  if (!model.classifies()) return scores[0];
  if (model.outputs() == 1) return scores[0] > 0 ? model.labels[1] : model.labels[0];
  return model.labels[static_cast<std::size_t>(std::max_element(scores, scores + model.outputs()) - scores)];
}

bool has_probabilities(const LinearModel& model) {
  return model.calibration || model.objective.loss == "logistic" || model.objective.loss == "softmax";
}

std::vector<double> probabilities(const LinearModel& model, const double* scores) {
  if (!has_probabilities(model))
    throw Error(
        fmt::format("this model was trained with the loss {} and has no probabilities; train with `loss` logistic or "
                    "`loss` softmax to get them, or calibrate it by cross-validation.",
                    model.objective.loss));
  if (model.calibration) return probabilities(*model.calibration, scores);
  if (model.outputs() == 1) return {logistic_sigmoid(-scores[0]), logistic_sigmoid(scores[0])};
  std::vector<double> result(scores, scores + model.outputs());
  if (model.one_versus_rest())
    for (double& z : result) z = log_of_logistic(z);  // so that none of them vanishes before they are compared
  normalize_exponentials(result);
  return result;
}

}  // namespace seesaw
