#include "select/fold_problem.h"

#include <fmt/format.h>

#include <algorithm>

#include "data/select_rows.h"
#include "model/table_labels.h"
#include "run/scaled_bounds.h"
#include "seesaw/error.h"

namespace seesaw {

FoldData prepare_fold(const Dataset& data, const Folds& folds, std::size_t fold, const FitSpec& spec) {
  const std::vector<std::uint32_t> training = folds.training(fold), validation = folds.validation(fold);
  if (training.empty() || validation.empty())
    throw Error(fmt::format("fold {} has no rows to {}.", fold + 1, training.empty() ? "train on" : "validate"));
  const Dataset raw = select_rows(data, training);
  const Transform transform = fit_transform(raw, spec.scaling, spec.objective.constant_feature());
  return {fold, transform, apply(transform, raw, spec.precision),
          apply(transform, select_rows(data, validation), spec.precision)};
}

namespace {

void require_labels(const FoldData& data, const std::vector<double>& labels, const std::vector<std::string>& classes) {
  const std::vector<double>& trained = data.training.labels;
  for (const double label : labels)
    if (std::find(trained.begin(), trained.end(), label) == trained.end())
      throw Error(fmt::format(
          "without fold {} no row has the label {}: it cannot be learned there. Use fewer folds, or remove the label.",
          data.fold + 1, label_name(classes, label)));
}

}  // namespace

FoldProblem::FoldProblem(const FoldData& data, const TuneRequest& request, const TuneGroup& group,
                         const std::vector<double>& labels)
    : data_(data),
      request_(request),
      line_(line_of(request, group)),
      has_coefficient_(seesaw::has_coefficient(request, group)),
      problem_((require_labels(data, labels, request.classes),
                make_problem(data.training, with_scaled_bounds(objective_of(request, group), data.transform)))) {
  frame_.objective = solved_objective(problem_);
  frame_.labels = problem_.labels;
  frame_.intercept.assign(problem_.outputs(), 0.0);
  if (frame_.objective.loss_parameter_name == "quantile") quantile_ = frame_.objective.loss_parameter;
}

Problem FoldProblem::at(const std::optional<double>& value) const {
  Problem problem = problem_;
  problem.penalty = penalty_at(value);
  return problem;
}

Penalty FoldProblem::penalty_at(const std::optional<double>& value) const {
  if (!has_coefficient_ || !value) return problem_.penalty;
  return line_.penalty_at(problem_.penalty, parameter_at(request_, *value, problem_.total_weight));
}

std::vector<double> FoldProblem::scores(const Point& point) const {
  const std::size_t K = frame_.outputs();
  std::vector<double> z(data_.validation.n() * K);
  multiply(data_.validation.rows, point.x.data(), z.data(), K);
  for (std::size_t at = 0; at < z.size(); ++at) z[at] += point.intercept[at % K];
  return z;
}

std::vector<double> FoldProblem::measure(const std::vector<const Metric*>& metrics,
                                         const std::vector<double>& scores) const {
  std::vector<double> values;
  const Predictions predictions{frame_, scores, data_.validation.labels, data_.validation.weights, quantile_};
  for (const Metric* metric : metrics) values.push_back(evaluate(*metric, predictions));
  return values;
}

}  // namespace seesaw
