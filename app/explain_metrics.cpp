#include "explain_metrics.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>

#include "data/readers/numbers.h"
#include "model/groups/group_losses.h"
#include "model/several_targets.h"
#include "run/lines.h"
#include "seesaw/error.h"
#include "select/metrics.h"
#include "summary.h"

namespace seesaw::app {
namespace {

// Labels in ascending order, as metrics expect them; those of a LIBLINEAR model are in any order.
void sort_labels(LinearModel& model, std::vector<double>& scores) {
  if (std::is_sorted(model.labels.begin(), model.labels.end())) return;
  const std::size_t K = model.outputs();
  if (K == 1) {
    std::swap(model.labels[0], model.labels[1]);
    for (double& z : scores) z = -z;
    return;
  }
  std::vector<std::size_t> order(K);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t k, std::size_t l) { return model.labels[k] < model.labels[l]; });
  const std::vector<double> labels = model.labels, given = scores;
  for (std::size_t k = 0; k < K; ++k) model.labels[k] = labels[order[k]];
  for (std::size_t at = 0; at < scores.size(); ++at) scores[at] = given[at - at % K + order[at % K]];
}

std::set<double> labels_of(const Dataset& data) { return {data.labels.begin(), data.labels.end()}; }

void require_known_labels(const LinearModel& model, const LoadedData& loaded) {
  const Dataset& data = loaded.data;
  if (!loaded.unknown_label.empty())
    throw Error(fmt::format("{} has rows with the label {}, which the model does not have; remove them.", data.source,
                            in_quotes(loaded.unknown_label)));
  for (const double label : labels_of(data))
    if (std::find(model.labels.begin(), model.labels.end(), label) == model.labels.end())
      throw Error(fmt::format("{} has rows with the label {}, which the model does not have; remove them.", data.source,
                              label_text(model, label)));
}

// Those that are defined for the model and the rows.
std::vector<std::string> names_for(const LinearModel& model, const Dataset& data) {
  if (!model.classifies()) {
    if (model.objective.loss == "quantile") return {"r2", "rmse", "mae", "pinball"};
    return {"r2", "rmse", "mae"};
  }
  std::vector<std::string> names = {"accuracy", "balanced-accuracy", "f1"};
  if (labels_of(data).size() == model.labels.size()) names.insert(names.end(), {"auc", "average-precision"});
  if (has_probabilities(model)) names.insert(names.end(), {"log-loss", "brier"});
  return names;
}

std::vector<std::string> metrics_in_words(const LinearModel& model, const std::map<std::string, double>& values) {
  const auto has = [&](const char* name) { return values.count(name) > 0; };
  const auto value = [&](const char* name) { return values.at(name); };
  std::vector<std::string> lines;
  if (!model.classifies()) {
    const bool log = model.table && model.table->label.log;
    if (log) lines.emplace_back("errors are those of logarithms");
    lines.push_back(value("r2") >= 0
                        ? fmt::format("explains {:.4g} % of the variance (R2 {:.4g})", 100 * value("r2"), value("r2"))
                        : fmt::format("worse than the mean of the labels (R2 {:.4g})", value("r2")));
    lines.push_back(
        fmt::format("mean absolute error {:.6g}, root mean squared error {:.6g}", value("mae"), value("rmse")));
    if (has("pinball"))
      lines.push_back(
          fmt::format("pinball loss {:.6g} at the quantile {:.6g}", value("pinball"), model.objective.loss_parameter));
    return lines;
  }
  const bool binary = model.labels.size() == 2;
  lines.push_back(fmt::format("{:.4g} % of the labels are right; mean over the classes {:.4g} % (balanced accuracy)",
                              100 * value("accuracy"), 100 * value("balanced-accuracy")));
  if (has("auc")) {
    if (binary)
      lines.push_back(fmt::format(
          "of a row of label {} and one of label {}, the first has the higher score in {:.4g} % of the pairs (AUC "
          "{:.4g})",
          label_text(model, model.labels[1]), label_text(model, model.labels[0]), 100 * value("auc"), value("auc")));
    else lines.push_back(fmt::format("mean one-versus-rest AUC {:.4g}", value("auc")));
  }
  lines.push_back(fmt::format(
      "{} {:.4g}{}", binary ? "F1 of label " + label_text(model, model.labels[1]) : "mean F1", value("f1"),
      has("average-precision") ? fmt::format(", average precision {:.4g}", value("average-precision")) : ""));
  if (has("log-loss"))
    lines.push_back(
        fmt::format("probabilities: log loss {:.4g}, Brier score {:.4g}", value("log-loss"), value("brier")));
  return lines;
}

}  // namespace

ModelMetrics measure_model(const LinearModel& given, const std::string& model_path, const DataOptions& options) {
  if (several_targets(given))
    throw Error("--data measures models of one number or label per row; seesaw predict has the errors of several.");
  DataOptions reading = options;
  reading.float32 = reading.float32 || given.single_precision;
  const LoadedData loaded = reading.load_for(given, model_path, true);
  const Dataset& data = loaded.data;
  if (!data.labelled)
    throw Error(
        fmt::format("{} has no labels, which --data compares the predictions with: name the label column with "
                    "--label-column, or give another file.",
                    data.source));
  std::vector<double> scores = decision_values(given, data);
  LinearModel model = given;
  sort_labels(model, scores);
  if (model.classifies()) require_known_labels(model, loaded);
  double quantile = 0.5;
  if (model.objective.loss_parameter_name == "quantile") quantile = model.objective.loss_parameter;
  const Predictions predictions{model, scores, data.labels, data.weights, quantile};
  std::map<std::string, double> values;
  ModelMetrics result;
  const bool groups =
      group_loss_kind(model.objective.loss) != nullptr;  // whose hash includes the groups, not given here
  const bool training = !groups && model.certificate && data.n() == model.n && content_hash(data) == model.data_hash;
  result.json = {{"data", data.source}, {"rows", data.n()}};
  if (!groups) result.json["training"] = training;
  for (const std::string& name : names_for(model, data)) {
    values[name] = evaluate(metric_named(name), predictions);
    result.json[name] = finite_or_null(values[name]);
  }
  result.words = metrics_in_words(model, values);
  result.words.insert(result.words.begin(), fmt::format("of {}{}", counted(data.n(), "row"),
                                                        training ? " of the training data" : " of " + data.source));
  return result;
}

}  // namespace seesaw::app
