// seesaw predict DATA MODEL [OUT]
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>

#include "base/atomic_file.h"
#include "base/elementary.h"
#include "base/output_path.h"
#include "command.h"
#include "data_options.h"
#include "model/model_file.h"
#include "model/prediction_bounds.h"
#include "path_choice.h"
#include "predict_intervals.h"
#include "seesaw/error.h"
#include "select/path_file.h"
#include "standard_streams.h"
#include "summary.h"

namespace seesaw::app {
namespace {

struct PredictOptions {
  DataOptions data;
  PathChoice choice;
  std::string model_path, out_path = "-";
  bool decision = false, probabilities = false, intervals = false, json = false, quiet = false;
};

void add_line(fmt::memory_buffer& text, const std::vector<double>& numbers) {
  fmt::format_to(std::back_inserter(text), "{}\n", fmt::join(numbers, " "));
}

std::vector<std::string> label_texts(const LinearModel& model) {
  std::vector<std::string> texts;
  for (const double label : model.labels) texts.push_back(label_text(model, label));
  return texts;
}

bool undoes_logarithm(const LinearModel& model) { return model.table && model.table->label.log; }

// The label, or the number in the units of the file.
std::string prediction(const LinearModel& model, const double* scores) {
  const double label = predicted_label(model, scores);
  return undoes_logarithm(model) ? fmt::format("{}", exp_of(label)) : label_text(model, label);
}

std::string lines_of(const LinearModel& model, const std::vector<double>& z, const PredictOptions& o) {
  fmt::memory_buffer text;
  const std::size_t outputs = model.outputs();
  if (o.probabilities || (o.decision && outputs > 1))
    fmt::format_to(std::back_inserter(text), "labels {}\n", fmt::join(label_texts(model), " "));
  for (std::size_t begin = 0; begin < z.size(); begin += outputs) {
    const double* scores = z.data() + begin;
    if (o.decision) {
      add_line(text, std::vector<double>(scores, scores + outputs));
    } else if (o.probabilities) {
      fmt::format_to(std::back_inserter(text), "{} ", prediction(model, scores));
      add_line(text, probabilities(model, scores));
    } else {
      fmt::format_to(std::back_inserter(text), "{}\n", prediction(model, scores));
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
  const auto units = [log = undoes_logarithm(model)](double value) { return log ? exp_of(value) : value; };
  double squared = 0, absolute = 0, mean = 0, variance = 0;
  for (std::size_t i = 0; i < z.size(); ++i) {
    const double label = units(data.labels[i]), error = units(z[i]) - label;
    squared += error * error / n;
    absolute += std::abs(error) / n;
    mean += label / n;
  }
  for (double label : data.labels) variance += (units(label) - mean) * (units(label) - mean) / n;
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

// The model of the file; of a path, the one that covers the coefficient chosen.
ChosenModel read_chosen(const PredictOptions& o) {
  if (is_path_file(o.model_path)) return choose_model(read_path(o.model_path, false), o.choice, o.model_path);
  if (o.choice.given())
    throw Error(fmt::format("{} is one model, not a path: leave out --C, --lambda and --l1.", o.model_path));
  return {read_model(o.model_path, false), ""};
}

int predict(const PredictOptions& o) {
  const ThreadLimit threads(o.data.threads);
  if (o.decision && o.probabilities) throw Error("choose --decision or --proba, not both.");
  refuse_overwriting(o.out_path, {o.data.path, o.model_path, o.data.labels});
  const ChosenModel chosen = read_chosen(o);
  const LinearModel& model = chosen.model;
  if (o.probabilities && !has_probabilities(model))
    throw Error(
        fmt::format("--proba needs a model of the loss logistic or softmax, and {} has the loss {}; --decision gives "
                    "its scores.",
                    o.model_path, model.objective.loss));
  if (o.intervals)
    if (const std::string reason = no_bounds_reason(model); !reason.empty())
      throw Error(fmt::format("{}: {}", o.model_path, reason));
  DataOptions reading = o.data;
  reading.float32 = reading.float32 || model.single_precision;
  reading.working_memory = [&](const DataShape& shape) { return memory_for_predicting(shape, model.outputs()); };
  const LoadedData loaded = reading.load_for(model, o.model_path, true);
  const Dataset& data = loaded.data;
  if (!data.feature_names.empty() && !model.feature_names.empty() && data.feature_names != model.feature_names)
    throw Error(
        fmt::format("the columns of {} are not those of the model {}: name the label column with --label-column, and "
                    "keep the features in the order of training.",
                    data.source, o.model_path));
  const std::vector<double> z = decision_values(model, data);
  IntervalLines intervals;
  if (o.intervals) intervals = interval_lines(model, data, z, o.probabilities);
  const std::string text = o.intervals ? intervals.text : lines_of(model, z, o);

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
  nlohmann::ordered_json measured = measures(model, data, z);
  if (!o.quiet && !chosen.sentence.empty()) fmt::print(to_stdout ? stderr : stdout, "{}\n", chosen.sentence);
  if (!o.quiet)
    fmt::print(to_stdout ? stderr : stdout, "{}{}{}\n", label_line(data), table_lines(loaded.notes),
               in_words(measured));
  if (!o.quiet && !intervals.words.empty()) fmt::print(to_stdout ? stderr : stdout, "{}\n", intervals.words);
  if (o.intervals) measured.update(intervals.json);
  if (o.json) fmt::print(to_stdout ? stderr : stdout, "{}\n", measured.dump());
  return success;
}

}  // namespace

void add_predict(Program& program) {
  auto options = std::make_shared<PredictOptions>();
  Command& command = program.add_command("predict", "predict labels, scores or probabilities with a model");
  options->data.declare(command);
  options->data.declare_memory(command);
  command.add_option("MODEL", options->model_path, "a model of seesaw or LIBLINEAR, or a path of seesaw path")
      .required();
  command.add_option("OUT", options->out_path, "file for the predictions, one line per row")
      .standard("standard output");
  options->choice.declare(command);
  command.add_flag("--decision", options->decision, "scores a.x + b instead of labels; multiclass: one per class")
      .group("Output")
      .common();
  command
      .add_flag("--proba", options->probabilities, "label and probability of each class (logistic and softmax models)")
      .group("Output")
      .common();
  command
      .add_flag("--intervals", options->intervals,
                "also the interval of the optimal model's score, or probability, and whether the label is settled")
      .group("Output")
      .common();
  command.add_flag("--json", options->json, "accuracy or errors as one line of JSON").group("Output").common();
  command.add_quiet(options->quiet, "do not print accuracy or errors");
  command.example("seesaw predict test.svm train.svm.model labels.txt", "labels to a file, accuracy to the terminal");
  command.example("seesaw predict test.svm train.svm.model --proba --quiet > probabilities.txt", "");
  command.example("seesaw predict test.svm train.svm.model --intervals", "what the certificate proves of every row");
  command.example("seesaw predict test.svm train.svm.path --C 0.37", "the model of a path that covers C = 0.37");
  command.note("LIBLINEAR's -b 1 is understood as --proba.");
  command.on_run([options] { return predict(*options); });
}

}  // namespace seesaw::app
