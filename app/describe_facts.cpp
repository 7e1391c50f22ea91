#include "describe_facts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "solvers/catalog.h"

namespace seesaw::app {
namespace {

Json as_json(const Spread& s) { return {{"min", s.min}, {"median", s.median}, {"mean", s.mean}, {"max", s.max}}; }

}  // namespace

bool may_be_classes(const Facts& f) {
  return f.labels.size() <= 1000 && std::all_of(f.labels.begin(), f.labels.end(),
                                                [](const LabelCount& l) { return l.label == std::trunc(l.label); });
}

Json facts_as_json(const Facts& f, const Dataset& data) {
  Json labels = Json::array();
  for (const LabelCount& l : f.labels) labels.push_back({{"label", l.label}, {"count", l.count}});
  return {{"n", f.n},
          {"d", f.d},
          {"nnz", f.nnz},
          {"density", f.density},
          {"storage", data.dense() ? "dense" : "sparse"},
          {"values", data.single_precision() ? "float" : "double"},
          {"bytes", data.bytes()},
          {"empty_rows", f.empty_rows},
          {"empty_columns", f.empty_columns},
          {"constant_columns", f.constant_columns},
          {"longest_row", f.longest_row},
          {"label_column", data.label_column.empty() ? Json(nullptr) : Json(data.label_column)},
          {"row_norms", as_json(f.row_norms)},
          {"column_norms", as_json(f.column_norms)},
          {"mean_squared_row_norm", f.mean_squared_row_norm},
          {"labels", labels}};
}

std::string in_words(const Spread& s) {
  return fmt::format("{:.4g} smallest, {:.4g} median, {:.4g} mean, {:.4g} largest", s.min, s.median, s.mean, s.max);
}

std::string describe_labels(const Facts& f) {
  const auto n = static_cast<double>(f.n);
  if (f.labels.size() > 20)
    return fmt::format("{}{} different values: {} (choose the loss)", f.labels.size() > 1000 ? "more than " : "",
                       std::min<std::size_t>(f.labels.size(), 1000),
                       may_be_classes(f) ? "classes, or numbers to be predicted" : "numbers to be predicted");
  std::string text;
  for (const LabelCount& l : f.labels)
    text += fmt::format("{}{} ({} rows, {:.1f} %)", text.empty() ? "" : ", ", l.label, l.count,
                        100 * static_cast<double>(l.count) / n);
  return text;
}

std::vector<std::string> advice(const Facts& f, const TrainingPlan& plan) {
  std::vector<std::string> sentences;
  const double n = static_cast<double>(f.n), R2 = f.row_norms.max * f.row_norms.max;
  const std::optional<double>& given = plan.lambda;
  const double lambda = given.value_or(1 / n), c = lambda * n / R2;
  const std::string with_lambda =
      given ? fmt::format("lambda = {:.3g} = {:.3g}/n (C = {:.3g})", lambda, lambda * n, 1 / (lambda * n))
            : fmt::format("the default lambda = 1/n = {:.3g} (C = 1)", lambda);
  if (std::isfinite(c) && c > 0 && !plan.scaled)
    sentences.push_back(fmt::format(
        "with {} the conditioning number is c = lambda n gamma / R^2 = {:.3g} gamma (smooth hinge: gamma 1, softmax: "
        "2, logistic: 4).",
        with_lambda, c));
  if (plan.problem != nullptr)
    if (const auto choice =
            choice_for(*plan.problem, {.name = std::string(default_solver), .options = {}, .gap = plan.gap}))
      sentences.push_back(fmt::format("with the loss {} and the penalty {} {} {}.", plan.problem->kind->name,
                                      plan.problem->penalty.name(), default_solver, *choice));
  if (!plan.scaled && f.row_norms.max > 8 * f.row_norms.mean)
    sentences.push_back(fmt::format(
        "the largest row norm is {:.1f} times the mean: a few rows slow down methods that use one step size "
        "for all rows; --scale rows normalizes them.",
        f.row_norms.max / f.row_norms.mean));
  if (!plan.scaled && f.column_norms.min > 0 && f.column_norms.max > 1000 * f.column_norms.median)
    sentences.push_back(
        fmt::format("the largest column norm is {:.2g} times the median: the scales of the features differ; "
                    "--scale columns-std (or columns-max) will "
                    "train faster, and penalizes features equally.",
                    f.column_norms.max / f.column_norms.median));
  const bool classes = f.labels.size() == 2 || (f.labels.size() > 2 && f.labels.size() <= 20 && may_be_classes(f));
  if (classes && plan.counts_labels) {
    const auto rarest = std::min_element(f.labels.begin(), f.labels.end(),
                                         [](const LabelCount& k, const LabelCount& l) { return k.count < l.count; });
    const double fraction = static_cast<double>(rarest->count) / n;
    if (fraction < 0.1 / static_cast<double>(f.labels.size()))
      sentences.push_back(fmt::format(
          "only {:.2g} % of the rows have {}: accuracy depends little on it; --class-weight balanced weights "
          "all labels equally.",
          100 * fraction,
          f.labels.size() == 2 ? std::string("the rarer label") : fmt::format("the label {}", rarest->label)));
  }
  if (plan.counts_labels && f.labels.size() == 1)
    sentences.push_back("there is only one label: a classifier cannot be trained on this.");
  if (f.empty_rows > 0)
    sentences.push_back(
        fmt::format("{} rows have no features: they count in n and in the objective, and only the intercept "
                    "can fit them.",
                    f.empty_rows));
  if (f.empty_columns > 0)
    sentences.push_back(fmt::format("{} features never occur: their weight is 0.", f.empty_columns));
  if (f.constant_columns > 0)
    sentences.push_back(fmt::format("{} features are constant: the intercept replaces them.", f.constant_columns));
  if (f.n < f.d)
    sentences.push_back("there are fewer rows than features: without a penalty the fit interpolates the labels.");
  return sentences;
}

}  // namespace seesaw::app
