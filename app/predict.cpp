// seesaw predict DATA MODEL [OUT]
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>

#include "base/atomic_file.h"
#include "base/output_path.h"
#include "command.h"
#include "data_options.h"
#include "model/model_file.h"
#include "seesaw/error.h"
#include "standard_streams.h"
#include "summary.h"

namespace seesaw::app {
namespace {

struct PredictOptions {
  DataOptions data;
  std::string model_path, out_path = "-";
  bool decision = false, probabilities = false, json = false, quiet = false;
};

void add_line(fmt::memory_buffer& text, const std::vector<double>& numbers) {
  fmt::format_to(std::back_inserter(text), "{}\n", fmt::join(numbers, " "));
}

std::string lines_of(const LinearModel& model, const std::vector<double>& z, const PredictOptions& o) {
  fmt::memory_buffer text;
  const std::size_t outputs = model.outputs();
  if (o.probabilities || (o.decision && outputs > 1))
    fmt::format_to(std::back_inserter(text), "labels {}\n", fmt::join(model.labels, " "));
  for (std::size_t begin = 0; begin < z.size(); begin += outputs) {
    const double* scores = z.data() + begin;
    if (o.decision) {
      add_line(text, std::vector<double>(scores, scores + outputs));
    } else if (o.probabilities) {
      fmt::format_to(std::back_inserter(text), "{} ", predicted_label(model, scores));
      add_line(text, probabilities(model, scores));
    } else {
      add_line(text, {predicted_label(model, scores)});
    }
  }
  return fmt::to_string(text);
}

nlohmann::ordered_json measures(const LinearModel& model, const Dataset& data, const std::vector<double>& z) {
  const std::size_t rows = data.n();
  if (!data.labelled) return {{"n", rows}};
  const auto n = static_cast<double>(rows);
  if (model.classifies()) {
    std::vector<double> labels = model.labels;  // the two labels of a LIBLINEAR model are in any order
    std::sort(labels.begin(), labels.end());
    std::size_t right = 0, unknown = 0;
    for (std::size_t i = 0; i < rows; ++i) {
      right += predicted_label(model, z.data() + i * model.outputs()) == data.labels[i];
      unknown += !std::binary_search(labels.begin(), labels.end(), data.labels[i]);
    }
    nlohmann::ordered_json result = {{"n", rows}};
    if (unknown < rows) result.update({{"correct", right}, {"accuracy", static_cast<double>(right) / n}});
    else result["accuracy"] = nullptr;
    result["unknown_labels"] = unknown;
    return result;
  }
  double squared = 0, absolute = 0, mean = 0, variance = 0;
  for (std::size_t i = 0; i < z.size(); ++i) {
    squared += (z[i] - data.labels[i]) * (z[i] - data.labels[i]) / n;
    absolute += std::abs(z[i] - data.labels[i]) / n;
    mean += data.labels[i] / n;
  }
  for (double label : data.labels) variance += (label - mean) * (label - mean) / n;
  nlohmann::ordered_json result = {{"n", z.size()}, {"mean_squared_error", squared}, {"mean_absolute_error", absolute}};
  result["r2"] = variance > 0 ? nlohmann::ordered_json(1 - squared / variance) : nlohmann::ordered_json(nullptr);
  return result;
}

std::string in_words(const nlohmann::ordered_json& m) {
  if (m.contains("mean_squared_error"))
    return fmt::format("mean squared error {:.6g}, mean absolute error {:.6g}{}", m["mean_squared_error"].get<double>(),
                       m["mean_absolute_error"].get<double>(),
                       m["r2"].is_null() ? "" : fmt::format(", R2 {:.6g}", m["r2"].get<double>()));
  if (!m.contains("accuracy")) return fmt::format("{} rows without labels", m["n"].get<std::size_t>());
  if (m["accuracy"].is_null()) return "the labels of the file are not those of the model: no accuracy";
  std::string text = fmt::format("accuracy {:.4f} % ({} of {})", 100 * m["accuracy"].get<double>(),
                                 m["correct"].get<std::size_t>(), m["n"].get<std::size_t>());
  if (const std::size_t rows = m["unknown_labels"].get<std::size_t>(); rows > 0)
    text += fmt::format("; {} {} a label that the model does not have, counted as wrong", rows,
                        rows == 1 ? "row has" : "rows have");
  return text;
}

int predict(const PredictOptions& o) {
  const ThreadLimit threads(o.data.threads);
  if (o.decision && o.probabilities) throw Error("choose --decision or --proba, not both.");
  refuse_overwriting(o.out_path, {o.data.path, o.model_path});
  const LinearModel model = read_model(o.model_path);
  if (o.probabilities && !has_probabilities(model))
    throw Error(
        fmt::format("--proba needs a model of the loss logistic or softmax, and {} has the loss {}; --decision gives "
                    "its scores.",
                    o.model_path, model.objective.loss));
  DataOptions reading = o.data;
  reading.float32 = reading.float32 || model.single_precision;
  reading.working_memory = [&](const DataShape& shape) { return memory_for_predicting(shape, model.outputs()); };
  const Dataset data = reading.read(model.features(), "the model " + o.model_path);
  if (!data.feature_names.empty() && !model.feature_names.empty() && data.feature_names != model.feature_names)
    throw Error(
        fmt::format("the columns of {} are not those of the model {}: name the label column with --label-column, and "
                    "keep the features in the order of training.",
                    data.source, o.model_path));
  const std::vector<double> z = decision_values(model, data);
  const std::string text = lines_of(model, z, o);

  const bool to_stdout = o.out_path == "-" || is_standard_output(o.out_path);
  if (o.out_path == "-") {
    std::fwrite(text.data(), 1, text.size(), stdout);
    if (standard_output_failed())
      throw Error("cannot write the predictions to standard output: is it closed, or is the disk full?");
  } else {
    AtomicFile out(o.out_path);
    out.write(text);
    out.commit();
    result_is_written();
  }
  // With predictions on standard output, messages go to standard error.
  const nlohmann::ordered_json measured = measures(model, data, z);
  if (!o.quiet) fmt::print(to_stdout ? stderr : stdout, "{}{}\n", label_line(data), in_words(measured));
  if (o.json) fmt::print(to_stdout ? stderr : stdout, "{}\n", measured.dump());
  return success;
}

}  // namespace

void add_predict(Program& program) {
  auto options = std::make_shared<PredictOptions>();
  Command& command = program.add_command("predict", "predict labels, scores or probabilities with a model");
  options->data.declare(command);
  options->data.declare_memory(command);
  command.add_option("MODEL", options->model_path, "a model of seesaw or LIBLINEAR").required();
  command.add_option("OUT", options->out_path, "file for the predictions, one line per row")
      .standard("standard output");
  command.add_flag("--decision", options->decision, "scores a.x + b instead of labels; multiclass: one per class")
      .group("Output")
      .common();
  command
      .add_flag("--proba", options->probabilities, "label and probability of each class (logistic and softmax models)")
      .group("Output")
      .common();
  command.add_flag("--json", options->json, "accuracy or errors as one line of JSON").group("Output").common();
  command.add_quiet(options->quiet, "do not print accuracy or errors");
  command.example("seesaw predict test.svm train.svm.model labels.txt", "labels to a file, accuracy to the terminal");
  command.example("seesaw predict test.svm train.svm.model --proba --quiet > probabilities.txt", "");
  command.note("LIBLINEAR's -b 1 is understood as --proba.");
  command.on_run([options] { return predict(*options); });
}

}  // namespace seesaw::app
