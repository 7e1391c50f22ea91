#include "model/linear_model.h"

#include <fmt/format.h>

#include <cmath>

#include "model/folded_weights.h"
#include "seesaw/error.h"

namespace seesaw {
namespace {

// |a_i| of every row, the constant feature included where there is one. In long double no square overflows or vanishes.
std::vector<double> row_norms(const Dataset& data, bool constant_feature) {
  std::vector<double> norms(data.n());
  std::visit(
      [&](const auto& rows) {
        for (std::size_t i = 0; i < norms.size(); ++i) {
          long double squares = constant_feature ? 1 : 0;
          for_each(rows.row(i), [&](std::size_t, double value) { squares += static_cast<long double>(value) * value; });
          norms[i] = static_cast<double>(std::sqrt(squares));
        }
      },
      data.rows);
  return norms;
}

}  // namespace

SolvedObjective solved_objective(const Problem& problem) {
  SolvedObjective solved{.loss = std::string(problem.kind->name),
                         .loss_parameter_name = std::string(problem.kind->parameter.name),
                         .loss_parameter = problem.loss_parameter,
                         .lambda = problem.lambda,
                         .l1 = problem.l1,
                         .intercept = problem.intercept,
                         .class_weights = {}};
  for (std::size_t k = 0; k < problem.class_weights.size(); ++k)
    solved.class_weights[problem.labels[k]] = problem.class_weights[k];
  return solved;
}

std::vector<double> decision_values(const LinearModel& model, const Dataset& data) {
  if (data.d() > model.features())
    throw Error(fmt::format(
        "{} has {} features, but the model was trained on {}: it has no weight for the others. Give it data "
        "with the same features.",
        data.source.empty() ? "the data" : data.source, data.d(), model.features()));

  // Data that is narrower than the model meets only the first of the weights: what is missing counts as zero.
  const FoldedWeights folded = folded_weights(model);
  std::vector<double> z(data.n());
  multiply(data.rows, folded.x.data(), z.data());
  for (double& score : z) score += folded.constant[0];
  if (model.transform.scaling == Scaling::rows) {
    const std::vector<double> norms = row_norms(data, model.transform.constant_feature);
    for (std::size_t i = 0; i < z.size(); ++i)
      if (norms[i] > 0) z[i] /= norms[i];
  }
  for (double& score : z) score += folded.intercept[0];
  return z;
}

double predicted_label(const LinearModel& model, double decision) {
  if (!model.classifies()) return decision;
  return decision > 0 ? model.labels[1] : model.labels[0];
}

double positive_probability(const LinearModel& model, double decision) {
  if (model.objective.loss != "logistic")
    throw Error(
        fmt::format("this model was trained with the loss {} and has no probabilities; train with --loss logistic "
                    "to get them.",
                    model.objective.loss));
  return 1 / (1 + std::exp(-decision));
}

}  // namespace seesaw
