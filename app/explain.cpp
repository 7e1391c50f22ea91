// seesaw explain MODEL: what a model file contains, in words.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "coefficient_rows.h"
#include "command.h"
#include "explain_metrics.h"
#include "explain_table.h"
#include "model/groups/group_losses.h"
#include "model/prediction_bounds.h"
#include "model/several_targets.h"
#include "path_choice.h"
#include "run/lines.h"
#include "study/command_line.h"
#include "summary.h"

namespace seesaw::app {
namespace {

struct ExplainOptions {
  std::string model_path;
  PathChoice choice;
  DataOptions data;  // path empty: no metrics
  bool json = false;
};

constexpr std::size_t shown_coefficients = 10, shown_labels = 10;

std::string labels_in_words(const LinearModel& model) {
  const std::size_t count = model.labels.size(), shown = std::min(count, shown_labels);
  std::string text;
  for (std::size_t k = 0; k < shown; ++k) text += (k > 0 ? ", " : "") + label_text(model, model.labels[k]);
  return text + (count > shown ? fmt::format(", ... ({} labels)", count) : "");
}

std::string task(const LinearModel& model) {
  const std::string& loss = model.objective.loss;
  if (several_targets(model))
    return fmt::format("predicts {} numbers, trained with the loss {}", model.outputs(), loss);
  if (!model.classifies()) return fmt::format("predicts a number, trained with the loss {}", loss);
  if (model.outputs() == 1)
    return fmt::format("separates the labels {} (negative score) and {} (positive score), trained with the loss {}",
                       label_text(model, model.labels[0]), label_text(model, model.labels[1]), loss);
  return fmt::format("separates the labels {}, {} with the loss {}", labels_in_words(model),
                     model.joint() ? "jointly" : "one-versus-rest,", loss);
}

// A model of another program states its loss alone.
bool objective_known(const LinearModel& model) { return model.certificate.has_value(); }

std::string objective(const LinearModel& model) {
  const SolvedObjective& o = model.objective;
  if (!objective_known(model)) return fmt::format("{} loss; the file does not state the penalty", o.loss);
  const bool factors = !o.penalty_factors.empty();
  std::string text = fmt::format("mean {} loss", o.loss);
  if (!o.class_weights.empty()) text = fmt::format("mean {} loss, weighted by class", o.loss);
  if (group_loss_kind(o.loss) != nullptr)
    text = fmt::format("mean {} loss over {:g} groups of rows", o.loss, o.loss_parameter);
  else if (!o.loss_parameter_name.empty())
    text += fmt::format(" ({} = {:.6g})", o.loss_parameter_name, o.loss_parameter);
  if (o.lambda > 0) text += fmt::format(" + ({:.6g}/2) {}", o.lambda, factors ? "sum_j f_j x_j^2" : "|x|^2");
  if (o.l1 > 0) text += fmt::format(" + {:.6g} {}", o.l1, factors ? "sum_j f_j |x_j|" : "|x|_1");
  if (o.lambda == 0 && o.l1 == 0) text += ", no penalty";
  if (factors) {
    const auto [least, most] = std::minmax_element(o.penalty_factors.begin(), o.penalty_factors.end());
    text += fmt::format(", penalty factors f_j from {:.6g} to {:.6g}", *least, *most);
  }
  if (!o.lower.empty()) text += ", weights within given bounds";
  switch (o.intercept) {
    case Intercept::none:
      return text + "; no intercept";
    case Intercept::free:
      return text + "; free intercept";
    case Intercept::penalized:
      return text + fmt::format("; penalized intercept (a constant feature of {:.6g})", model.transform.constant_value);
  }
  return text;
}

std::string transformation(const LinearModel& model) {
  switch (model.transform.scaling) {
    case Scaling::none:
      return model.table ? "features as the table is encoded" : "features as they are";
    case Scaling::rows:
      return "each row is divided by its norm";
    case Scaling::max:
      return fmt::format("all values are multiplied by {:.6g}, which makes the largest row norm 1",
                         model.transform.factor);
    case Scaling::columns_max:
      return "each feature is divided by its largest absolute value";
    case Scaling::columns_std:
      return "each feature is divided by its standard deviation, without centring";
  }
  return {};
}

// What the gap means for someone who uses the model.
std::vector<std::string> proof(const LinearModel& model) {
  if (!model.certificate)
    return {"none: the model was made by another program, so nothing is known about its optimum."};
  const Certificate& c = *model.certificate;
  if (model.version < 3)
    return {"of an earlier version, which did not include rounding errors; train the model again."};
  std::vector<std::string> lines;
  lines.push_back(fmt::format("the objective is {:.10g}, and no weights give less than {:.10g}: gap {:.3g}", c.primal,
                              c.dual, c.gap));
  if (!c.guaranteed) {
    lines.emplace_back("the lower bound is an estimate: without a penalty none could be guaranteed.");
    return lines;
  }
  const double relative = c.dual > 0 ? c.gap / c.dual : 0;
  if (c.dual > 0 && relative < 10)
    lines.push_back(relative < 1e-5
                        ? fmt::format("more training can lower the objective by a fraction of {:.1g} at most", relative)
                        : fmt::format("more training can lower the objective by {:.3g} % at most", 100 * relative));
  else lines.push_back(fmt::format("more training can lower the objective by {:.3g} at most", c.gap));
  if (const std::string reason = no_weight_bounds_reason(model); !reason.empty()) {
    lines.push_back("about the optimal weights nothing is proved: " + with_options(reason));
    return lines;
  }
  if (model.optimum) {
    const auto widest = std::max_element(model.optimum->radius.begin(), model.optimum->radius.end());
    lines.push_back(fmt::format("the optimal weights are within {:.3g} of {}", *widest,
                                model.optimum->centre.empty() ? "these weights" : "a point near these weights"));
  }
  const SignCount signs = count_signs(model);
  lines.push_back(fmt::format("the sign of {} of {} optimal weights is proved{} (seesaw coef --intervals)",
                              signs.proved(), model.features() * model.outputs(),
                              signs.zero > 0 ? fmt::format(", {} of them are 0", signs.zero) : ""));
  if (!model.optimum) return lines;
  lines.emplace_back(model.classifies() ? "seesaw predict --intervals shows which labels can no longer change"
                                        : "seesaw predict --intervals shows how far predictions can still move");
  return lines;
}

int explain(const ExplainOptions& o) {
  const ChosenModel chosen = read_model_or_path(o.model_path, o.choice);
  const LinearModel& model = chosen.model;
  const ThreadLimit threads(o.data.threads);
  std::optional<ModelMetrics> metrics;
  if (!o.data.path.empty()) metrics = measure_model(model, o.model_path, o.data);
  const std::vector<CoefficientRow> rows = coefficient_rows(model, shown_coefficients);
  const std::vector<std::string> proved = proof(model);
  const std::string data = model.n == 0
                               ? fmt::format("{} features", model.features())
                               : fmt::format("{} rows x {} features, hash {:016x}{}", model.n, model.features(),
                                             model.data_hash, model.single_precision ? ", as float" : "");
  const std::string training = model.solver.empty() ? ""
                                                    : fmt::format("{} after {:.4g} passes of {}, seed {}", model.status,
                                                                  model.passes, model.solver, model.seed);
  if (o.json) {
    nlohmann::ordered_json json = {{"model", o.model_path},
                                   {"task", task(model)},
                                   {"objective", objective(model)},
                                   {"loss", model.objective.loss},
                                   {"lambda", model.objective.lambda},
                                   {"l1", model.objective.l1},
                                   {"intercept", name_of(model.objective.intercept)},
                                   {"labels", nlohmann::ordered_json::array()},
                                   {"rows", model.n},
                                   {"features", model.features()},
                                   {"nonzeros", nonzeros(model)},
                                   {"transformation", transformation(model)},
                                   {"scaling", name_of(model.transform.scaling)},
                                   {"training", training},
                                   {"status", model.status}};
    for (const double label : model.labels) json["labels"].push_back(label_json(model, label));
    if (model.table) json["table"] = table_json(*model.table);
    if (!objective_known(model)) json["lambda"] = json["l1"] = json["intercept"] = nullptr;
    if (model.certificate)
      json["certificate"] = {{"primal", finite_or_null(model.certificate->primal)},
                             {"dual", finite_or_null(model.certificate->dual)},
                             {"gap", finite_or_null(model.certificate->gap)},
                             {"guaranteed", model.certificate->guaranteed}};
    else json["certificate"] = nullptr;
    json["proof"] = proved;
    if (model.calibration) json["calibration"] = name_of(model.calibration->method);
    if (metrics) json["metrics"] = metrics->json;
    json["intercepts"] = intercepts_as_json(model, model.optimum.has_value());
    json["coefficients"] = nlohmann::ordered_json::array();
    for (const CoefficientRow& row : rows) json["coefficients"].push_back(as_json(model, row, row.optimum.has_value()));
    fmt::print("{}\n", json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
    return success;
  }
  if (!chosen.sentence.empty()) fmt::print("{}\n", chosen.sentence);
  fmt::print("{} {}.\n", o.model_path, task(model));
  fmt::print("  objective       {}\n  data            {}\n  transformation  {}\n", objective(model), data,
             transformation(model));
  if (model.table) {
    const std::vector<std::string> table = table_in_words(*model.table);
    for (std::size_t at = 0; at < table.size(); ++at) fmt::print("  {:<14}  {}\n", at == 0 ? "table" : "", table[at]);
  }
  if (!training.empty()) fmt::print("  training        {}\n", training);
  if (model.calibration) fmt::print("  probabilities   {}\n", describe_calibration(*model.calibration));
  for (std::size_t at = 0; at < proved.size(); ++at)
    fmt::print("  {:<14}  {}\n", at == 0 ? "certificate" : "", proved[at]);
  if (metrics)
    for (std::size_t at = 0; at < metrics->words.size(); ++at)
      fmt::print("  {:<14}  {}\n", at == 0 ? "metrics" : "", metrics->words[at]);
  fmt::print("  weights         {} of {} are not 0; the largest, in units of the data:\n", nonzeros(model),
             model.features() * model.outputs());
  std::size_t width = 9;
  for (const CoefficientRow& row : rows) width = std::max(width, name_in_words(model, row.coefficient).size());
  for (const CoefficientRow& row : rows)
    fmt::print("    {:<{}}  {:>12.6g}{}\n", name_in_words(model, row.coefficient), width, row.coefficient.unscaled,
               model.optimum ? fmt::format("  optimal: {:.6g} to {:.6g}", row.optimum->lo, row.optimum->hi) : "");
  if (model.objective.intercept != Intercept::none && model.outputs() == 1)
    fmt::print("    {:<{}}  {:>12.6g}\n", "intercept", width, intercepts(model)[0]);
  return success;
}

}  // namespace

void add_explain(Program& program) {
  auto options = std::make_shared<ExplainOptions>();
  Command& command =
      program.add_command("explain", "describe a model in words: objective, proof, metrics, largest weights");
  command.add_option("MODEL", options->model_path, "a model of seesaw or LIBLINEAR, or a path of seesaw path")
      .required();
  options->choice.declare(command);
  command.add_option("--data", options->data.path, "labelled data, read as DATA of predict: accuracy or errors on it")
      .placeholder("FILE")
      .group("Data")
      .common();
  options->data.declare_reading(command);
  options->data.declare_weights(command);
  command.add_flag("--json", options->json, "one line of JSON").group("Output").common();
  command.example("seesaw explain train.svm.model", "");
  command.example("seesaw explain train.svm.model --data test.svm", "with metrics on other rows");
  command.on_run([options] { return explain(*options); });
}

}  // namespace seesaw::app
