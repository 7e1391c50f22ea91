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
#include "base/first_rank.h"
#include "base/output_path.h"
#include "command.h"
#include "data_options.h"
#include "model/prediction_bounds.h"
#include "model/several_targets.h"
#include "path_choice.h"
#include "predict_intervals.h"
#include "ranks.h"
#include "seesaw/error.h"
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

constexpr const char* ranking_words =
    "scores of a ranking model: within a group, the higher score comes first; --pairs qid|FILE measures the order of "
    "the "
    "labels";

void add_line(fmt::memory_buffer& text, const std::vector<double>& numbers) {
  fmt::format_to(std::back_inserter(text), "{}\n", fmt::join(numbers, " "));
}

std::vector<std::string> label_texts(const LinearModel& model) {
  std::vector<std::string> texts;
  for (const double label : model.labels) texts.push_back(label_text(model, label));
  return texts;
}

// The label, or the number in the units of the file.
std::string prediction(const LinearModel& model, const double* scores) {
  const double label = predicted_label(model, scores);
  return undoes_logarithm(model) ? fmt::format("{}", exp_of(label)) : label_text(model, label);
}

// The scores of a model of pairs, where no pairs are made of the rows: they have no labels.
bool orders_rows(const LinearModel& model, const PredictOptions& o) { return model.of_pairs && o.data.pairs.empty(); }

std::string lines_of(const LinearModel& model, const std::vector<double>& z, const PredictOptions& o) {
  fmt::memory_buffer text;
  const std::size_t outputs = model.outputs();
  if (is_first() && (o.probabilities || (o.decision && model.classifies() && outputs > 1)))
    fmt::format_to(std::back_inserter(text), "labels {}\n", fmt::join(label_texts(model), " "));
  for (std::size_t begin = 0; begin < z.size(); begin += outputs) {
    const double* scores = z.data() + begin;
    if (o.decision || several_targets(model) || orders_rows(model, o)) {
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

// add(sums) for the rows of this process, in the order of all rows: each rank continues where the one before ended.
template <class Sums, class Add>
Sums in_order(const Shares* shares, const Add& add) {
  static_assert(std::is_trivially_copyable_v<Sums>);
  Sums sums{};
  Ranks* const all = shares == nullptr ? nullptr : shares->ranks;
  if (all != nullptr && !all->first()) all->receive(all->rank() - 1, &sums, sizeof sums);
  add(sums);
  if (all == nullptr) return sums;
  if (all->rank() + 1 < all->size()) all->send(all->rank() + 1, &sums, sizeof sums);
  all->broadcast(all->size() - 1, &sums, sizeof sums);
  return sums;
}

// Errors over all rows and targets; R2 is the mean over the targets that are not constant.
nlohmann::ordered_json measures_of_targets(const Targets& targets, const std::vector<double>& z) {
  const std::size_t K = targets.count, rows = targets.rows();
  const auto n = static_cast<double>(rows), outputs = static_cast<double>(K);
  double squared = 0, absolute = 0, r2 = 0, varying = 0;
  for (std::size_t k = 0; k < K; ++k) {
    double errors = 0, mean = 0, variance = 0;
    for (std::size_t at = k; at < z.size(); at += K) {
      const double error = z[at] - targets.numbers[at];
      errors += error * error / n;
      absolute += std::abs(error) / (n * outputs);
      mean += targets.numbers[at] / n;
    }
    for (std::size_t at = k; at < z.size(); at += K)
      variance += (targets.numbers[at] - mean) * (targets.numbers[at] - mean) / n;
    squared += errors / outputs;
    if (!(variance > 0)) continue;
    r2 += 1 - errors / variance;
    varying += 1;
  }
  nlohmann::ordered_json result = {{"n", rows}, {"mean_squared_error", squared}, {"mean_absolute_error", absolute}};
  result["r2"] = varying > 0 ? nlohmann::ordered_json(r2 / varying) : nlohmann::ordered_json(nullptr);
  return result;
}

nlohmann::ordered_json measures(const LinearModel& model, const LoadedData& loaded, const std::vector<double>& z) {
  const Dataset& data = loaded.data;
  if (several_targets(model))
    return loaded.targets ? measures_of_targets(*loaded.targets, z) : nlohmann::ordered_json{{"n", data.n()}};
  const std::size_t rows = data.all_rows();
  const Shares* const shares = data.leaves().shares();
  if (!data.labelled) return {{"n", rows}};
  const auto n = static_cast<double>(rows);
  if (model.classifies()) {
    std::vector<double> labels = model.labels;  // the two labels of a LIBLINEAR model are in any order
    std::sort(labels.begin(), labels.end());
    std::size_t right = 0, unknown = 0;
    for (std::size_t i = 0; i < data.n(); ++i) {
      right += predicted_label(model, z.data() + i * model.outputs()) == data.labels[i];
      unknown += !std::binary_search(labels.begin(), labels.end(), data.labels[i]);
    }
    right = sum_of_ranks(data.leaves(), right);
    unknown = sum_of_ranks(data.leaves(), unknown);
    nlohmann::ordered_json result = {{"n", rows}};
    if (unknown < rows) result.update({{"correct", right}, {"accuracy", static_cast<double>(right) / n}});
    else result["accuracy"] = nullptr;
    result["unknown_labels"] = unknown;
    return result;
  }
  const auto units = [log = undoes_logarithm(model)](double value) { return log ? exp_of(value) : value; };
  struct Sums {
    double squared, absolute, mean;
  };
  const auto [squared, absolute, mean] = in_order<Sums>(shares, [&](Sums& sums) {
    for (std::size_t i = 0; i < z.size(); ++i) {
      const double label = units(data.labels[i]), error = units(z[i]) - label;
      sums.squared += error * error / n;
      sums.absolute += std::abs(error) / n;
      sums.mean += label / n;
    }
  });
  const double variance = in_order<double>(shares, [&, centre = mean](double& sum) {
    for (double label : data.labels) sum += (units(label) - centre) * (units(label) - centre) / n;
  });
  nlohmann::ordered_json result = {{"n", rows}, {"mean_squared_error", squared}, {"mean_absolute_error", absolute}};
  result["r2"] = variance > 0 ? nlohmann::ordered_json(1 - squared / variance) : nlohmann::ordered_json(nullptr);
  return result;
}

std::string metrics_in_words(const nlohmann::ordered_json& m) {
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

// write(text) for the lines of all ranks in their order, on the first one.
template <class Write>
void write_in_order(const std::string& own, bool shared, const Write& write) {
  if (is_first()) write(std::string_view(own));
  if (!shared) return;
  constexpr std::size_t piece = std::size_t{4} << 20;
  const std::vector<std::size_t> sizes = ranks()->gather(own.size());
  std::string received;
  for (std::size_t rank = 1; rank < sizes.size(); ++rank)
    for (std::size_t at = 0; at < sizes[rank]; at += piece) {
      const std::size_t length = std::min(piece, sizes[rank] - at);
      if (static_cast<std::size_t>(ranks()->rank()) == rank) ranks()->send(0, own.data() + at, length);
      if (!is_first()) continue;
      received.resize(length);
      ranks()->receive(static_cast<int>(rank), received.data(), length);
      write(std::string_view(received));
    }
}

int predict(const PredictOptions& o) {
  const ThreadLimit threads(o.data.threads);
  if (o.decision && o.probabilities) throw Error("choose --decision or --proba, not both.");
  refuse_overwriting(o.out_path, inputs_of(o.data, {o.model_path}));
  const ChosenModel chosen = read_model_or_path(o.model_path, o.choice);
  const LinearModel& model = chosen.model;
  if (o.probabilities && !has_probabilities(model))
    throw Error(
        fmt::format("--proba needs a model of the loss logistic or softmax, or one calibrated by seesaw tune "
                    "--calibrate, and {} has the loss {}; --decision gives its scores.",
                    o.model_path, model.objective.loss));
  if (orders_rows(model, o) && (o.probabilities || o.intervals))
    throw Error(
        fmt::format("{} was trained on pairs of rows, so that a row has a score and no label; use --pairs qid|FILE, "
                    "or leave out {}.",
                    o.model_path, o.intervals ? "--intervals" : "--proba"));
  if (o.intervals)
    if (const std::string reason = no_bounds_reason(model); !reason.empty())
      throw Error(fmt::format("{}: {}", o.model_path, reason));
  DataOptions reading = o.data;
  reading.float32 = reading.float32 || model.single_precision;
  reading.working_memory = [&](const DataShape& shape) {
    return memory_for_predicting(shape, model.outputs(), o.intervals);
  };
  const bool shared = reading.can_be_shared(model.table.has_value()) && !several_targets(model) && !o.intervals;
  if (!shared && !is_first()) return success;
  std::optional<std::uint64_t> hash;
  const LoadedData loaded =
      shared ? reading.load_share_for(model, o.model_path, true, hash) : reading.load_for(model, o.model_path, true);
  const Dataset& data = loaded.data;
  if (const std::size_t outputs = several_targets(model) ? model.outputs() : 1;
      loaded.targets && loaded.targets->count != outputs)
    throw Error(fmt::format("{} has {} per row, and the data {}: give the targets that the model predicts, or none.",
                            o.model_path, counted(outputs, "target"), loaded.targets->count));
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
    write_in_order(text, shared, [](std::string_view lines) { std::fwrite(lines.data(), 1, lines.size(), stdout); });
    if (standard_output_failed())
      throw Error("cannot write the predictions to standard output: is it closed, or is the disk full?");
  } else {
    std::optional<AtomicFile> out;
    on_first(shared ? ranks() : nullptr, [&] { out.emplace(o.out_path); });
    write_in_order(text, shared, [&](std::string_view lines) { out->write(lines); });
    on_first(shared ? ranks() : nullptr, [&] { out->commit(); });
    result_is_written();
  }
  // With predictions on standard output, messages go to standard error.
  nlohmann::ordered_json measured =
      orders_rows(model, o) ? nlohmann::ordered_json{{"n", data.all_rows()}} : measures(model, loaded, z);
  if (!o.quiet && !chosen.sentence.empty()) fmt::print(to_stdout ? stderr : stdout, "{}\n", chosen.sentence);
  if (!o.quiet)
    fmt::print(to_stdout ? stderr : stdout, "{}{}{}\n", label_line(data), table_lines(loaded.notes),
               orders_rows(model, o) ? ranking_words : metrics_in_words(measured));
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
  options->data.declare_targets(command);
  options->data.declare_pairs(command);
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
      .add_flag("--proba", options->probabilities,
                "label and probability of each class (logistic, softmax and calibrated models)")
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
  command.runs_over_ranks();
  command.on_run([options] { return predict(*options); });
}

}  // namespace seesaw::app
