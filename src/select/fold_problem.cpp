#include "select/fold_problem.h"

#include <fmt/format.h>

#include <algorithm>

#include "data/select_rows.h"
#include "model/table_labels.h"
#include "run/scaled_bounds.h"
#include "seesaw/error.h"

namespace seesaw {

// Each fold is trained on all others: 0, 1, ..., k - 1, the rows that are only trained on, 0, ..., k - 2. In time, it is
// trained on those before it: the rows that are only trained on, 0, 1, ..., k - 1.
std::vector<std::uint32_t> FoldRows::order_of(const Folds& folds) {
  std::vector<std::vector<std::uint32_t>> of_fold(folds.count + 1);  // the last one: never validated
  for (std::size_t i = 0; i < folds.of_row.size(); ++i)
    of_fold[std::min<std::size_t>(folds.of_row[i], folds.count)].push_back(static_cast<std::uint32_t>(i));
  std::vector<std::uint32_t> order;
  const auto add = [&](std::size_t fold) { order.insert(order.end(), of_fold[fold].begin(), of_fold[fold].end()); };
  if (folds.forward) add(folds.count);
  for (std::size_t f = 0; f < folds.count; ++f) {
    validation_[f].begin = order.size();
    add(f);
    validation_[f].end = order.size();
  }
  if (!folds.forward) add(folds.count);
  for (std::size_t f = 0; f < folds.count; ++f) {
    if (folds.forward) {
      training_[f] = {0, validation_[f].begin};
    } else {
      training_[f] = {validation_[f].end, order.size()};
      if (f + 1 < folds.count) add(f);
    }
  }
  return order;
}

Dataset FoldRows::training(std::size_t fold) const {
  return row_range(rows_, training_[fold].begin, training_[fold].end);
}
Dataset FoldRows::validation(std::size_t fold) const {
  return row_range(rows_, validation_[fold].begin, validation_[fold].end);
}

namespace {

Dataset transformed(const Transform& transform, Dataset&& rows, Precision precision) {
  return transform.identity() ? std::move(rows) : apply(transform, rows, precision);
}

}  // namespace

FoldData prepare_fold(const FoldRows& rows, std::size_t fold, const FitSpec& spec) {
  Dataset training = rows.training(fold), validation = rows.validation(fold);
  if (training.n() == 0 || validation.n() == 0)
    throw Error(fmt::format("fold {} has no rows to {}.", fold + 1, training.n() == 0 ? "train on" : "validate"));
  const Transform transform = fit_transform(training, spec.scaling, spec.objective.constant_feature());
  return {fold, transform, transformed(transform, std::move(training), spec.precision),
          transformed(transform, std::move(validation), spec.precision)};
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
