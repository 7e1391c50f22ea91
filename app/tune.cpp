// seesaw tune DATA [MODEL]: cross-validation, the choice of a candidate, and its model of all rows.
#include "tune.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <memory>
#include <set>

#include "base/interrupt.h"
#include "base/output_path.h"
#include "base/stopwatch.h"
#include "command.h"
#include "deviations.h"
#include "fit_lines.h"
#include "model/losses/loss.h"
#include "model/model_file.h"
#include "progress.h"
#include "seesaw/error.h"
#include "select/calibrate.h"
#include "select/tune.h"
#include "select/tune_journal.h"
#include "solvers/catalog.h"
#include "standard_streams.h"
#include "study/command_line.h"
#include "summary.h"
#include "tune_options.h"
#include "tune_table.h"

namespace seesaw::app {
namespace {

class TuneProgress final : public TuneObserver {
 public:
  explicit TuneProgress(const TuneRequest& request) : request_(request) {}
  void fitted(std::size_t done, std::size_t planned, const Candidate& candidate, std::size_t fold) override {
    write_over(fmt::format("fit {} of {}{}: {}, fold {}", done, planned, request_.values.empty() ? " or more" : "",
                           describe(request_, candidate), fold + 1));
  }

 private:
  const TuneRequest& request_;
};

// The command that trains the chosen model: what was given, with the choice in place of what was searched.
std::string train_command(const TuneOptions& o, const Objective& chosen, const std::string& model_path) {
  std::string line = "seesaw train " + shell_quoted(o.data.path) + " " + shell_quoted(model_path);
  if (!chosen.loss.empty()) line += " --loss " + chosen.loss;
  line += " --reg " + chosen.regularizer;
  if (chosen.C) line += fmt::format(" --C {}", *chosen.C);
  if (chosen.lambda) line += fmt::format(" --lambda {}", *chosen.lambda);
  if (chosen.l1) line += fmt::format(" --l1 {}", *chosen.l1);
  if (chosen.loss_parameter)
    line += fmt::format(" --{} {}", loss_kind(chosen.loss).parameter.name, *chosen.loss_parameter);
  const std::set<std::string> replaced = {"--loss",  "--reg",  "--C",      "--lambda", "--l1",     "--mix",
                                          "--quiet", "--json", "--report", "--jsonl",  "--threads"};
  for (const auto& [option, values] : o.given->given()) {
    const bool parameter = o.objective.loss_parameters.count(option->name.substr(2)) > 0;
    if (replaced.count(option->name) > 0 || option->group == "Cross-validation" || parameter) continue;
    if (option->flag()) line += " " + option->name;
    for (const std::string& value : values)
      if (!option->flag()) line += fmt::format(" {} {}", option->name, shell_quoted(value));
  }
  return line;
}

int tune_command(const TuneOptions& o) {
  Stopwatch total, reading, searching;
  total.start();
  TuneRequest request = o.request();
  const ThreadLimit threads(o.data.threads);
  recipe_named(o.solver.name);
  const std::string model_path = !o.model_path.empty() ? o.model_path
                                 : o.data.path == "-"  ? "stdin.model"
                                                       : base_name(o.data.path) + ".model";
  const std::vector<std::string> inputs =
      inputs_of(o.data, {o.fold_file, o.objective.penalty_factors_path, o.objective.box_path});
  refuse_overwriting(model_path, inputs);
  refuse_overwriting(model_path + ".dual", inputs);
  refuse_overwriting(o.jsonl_path, inputs);
  refuse_overwriting(o.report_path, inputs);
  refuse_sharing({model_path, model_path + ".dual", o.jsonl_path, o.report_path});
  for (const std::string& path : {model_path, o.report_path})
    if (!path.empty()) refuse_unwritable(path);
  std::optional<TuneJournal> journal;
  if (!o.jsonl_path.empty()) journal.emplace(o.jsonl_path);

  const LoadedData loaded = timed(reading, [&] { return o.data.load(); });
  const Dataset& data = loaded.data;
  refuse_unlabelled(data);
  if (loaded.targets) throw Error("cross-validation measures one number or label per row: choose one label column.");
  o.objective.read_feature_penalties(data, static_cast<std::size_t>(o.data.index_base), request.fit.objective);
  if (loaded.table) request.classes = loaded.table->label.classes;
  const Folds folds = o.folds_of(data, request);
  std::FILE* const words = words_beside(model_path);
  const std::string& loss = request.groups[0].loss;
  if (!o.quiet) {
    fmt::print(words, "{}\n{}{}\n", describe_data(data, reading.seconds()), table_lines(loaded.notes),
               o.describe(folds, !loss.empty() && loss_kind(loss).target == Target::number));
    std::fflush(words);
  }

  catch_interrupts();
  outlive_broken_pipes();
  const bool live = !o.quiet && Progress::wanted();
  TuneProgress progress(request);
  const TuneResult result = timed(searching, [&] {
    return tune(data, folds, request, live ? &progress : nullptr, journal ? &*journal : nullptr, interrupted);
  });
  if (live) write_over("");
  if (result.stopped) {
    fmt::print(stderr, "seesaw: stopped before a candidate was chosen; no model is written. {}\n",
               !journal           ? "With --jsonl FILE finished fits would be kept."
               : journal->empty() ? fmt::format("No fold was finished, so {} has none.", o.jsonl_path)
                                  : "The same command continues with the rest.");
    return interrupted_by_user;
  }
  if (!o.quiet) {
    fmt::print(words, "{}{}",
               tune_table(result, request, terminal_columns(STDOUT_FILENO, 100), isatty(STDOUT_FILENO) != 0),
               tune_summary(result, request));
    fmt::print(words, "{:.3g} s for cross-validation\n", searching.seconds());
    std::fflush(words);
  }

  std::vector<double> scores;  // of rows that were not trained on
  if (!o.calibrate.empty()) {
    if (live) write_over("scores for the calibration");
    scores = out_of_fold_scores(data, folds, request, result.candidates[result.chosen].candidate, interrupted);
    if (live) write_over("");
    if (scores.empty()) {
      fmt::print(stderr, "seesaw: stopped before the model was calibrated; no model is written.\n");
      return interrupted_by_user;
    }
  }
  FitSpec spec = request.fit;
  spec.objective = chosen_objective(request, result.candidates[result.chosen].candidate, result.total_weight);
  FitLines lines({.line = o.command_line,
                  .deviations = deviations(*o.given, spec.solver.name),
                  .first_feature = static_cast<std::size_t>(o.data.index_base),
                  .model_path = model_path,
                  .trace_path = "",
                  .report_path = o.report_path},
                 data);
  Observers observers;
  if (lines.wanted()) {
    nlohmann::ordered_json line = {{"type", "tune"}, {"folds", o.describe(folds, !result.classification)}};
    line.update(tune_json(result, request));
    lines.add(line);
    observers.push_back(lines.observer());
  }
  Fit fitted = fit(data, spec, nullptr, observers, interrupted);
  fitted.model.table = loaded.table;
  std::optional<CalibrationCheck> check;
  if (!scores.empty()) {
    const CalibrationMethod method =
        o.calibrate == "sigmoid" ? CalibrationMethod::sigmoid : CalibrationMethod::isotonic;
    fitted.model.calibration = calibrate(fitted.model, method, data, scores);
    check = check_calibration(fitted.model, method, data, folds, scores);
    if (check && lines.wanted()) {
      nlohmann::ordered_json line = {{"type", "calibration"}, {"method", o.calibrate}};
      line.update(json_of(*check));
      lines.add(line);
    }
  }
  write_model(fitted.model, model_path, DualPlace::by_size);
  result_is_written();
  total.stop();
  if (!o.quiet) {
    fmt::print(words, "{}\n", describe_outcome(fitted, spec.criteria));
    if (fitted.model.calibration)
      fmt::print(words, "probabilities: {}\n", describe_calibration(*fitted.model.calibration));
    if (check) fmt::print(words, "{}\n", describe(*check));
    fmt::print(words, "model: {}\nthe same {}: {}\n", model_path, fitted.model.calibration ? "weights" : "model",
               train_command(o, spec.objective, model_path));
  }
  if (lines.wanted() && lines.finish(fitted, {reading.seconds(), total.seconds()}) && !o.quiet)
    fmt::print(words, "report: {}\n", o.report_path);
  if (o.json) {
    nlohmann::ordered_json json = tune_json(result, request);
    json["model"] = model_path;
    if (fitted.model.calibration) json["calibration"] = o.calibrate;
    if (check) json["reliability"] = json_of(*check);
    json["status"] = name_of(fitted.outcome.termination);
    json["seconds"] = {{"read", reading.seconds()}, {"tune", searching.seconds()}, {"total", total.seconds()}};
    fmt::print(words, "{}\n", json.dump());
  }
  if (fitted.outcome.termination == Termination::interrupted) return interrupted_by_user;
  return fitted.outcome.termination == Termination::converged ? success : stopped_early;
}

}  // namespace

void add_tune(Program& program, const std::string& command_line) {
  auto options = std::make_shared<TuneOptions>();
  Command& command = program.add_command("tune", "choose C, lambda, loss or penalty by cross-validation, and train");
  options->given = &command;
  options->command_line = command_line;
  options->declare(command);
  command.example("seesaw tune a9a", "");
  command.example("seesaw tune a9a --loss logistic,hinge --C 2^-10:2^10 --metric auc", "");
  command.example("seesaw tune houses.csv --loss squared --reg l1 --choose one-se", "");
  command.note(
      "Exit codes: 0 a model is chosen and converged; 3 it ended before (it is written with its certificate); 2 bad "
      "input; 130 interrupted.");
  command.on_run([options] { return tune_command(*options); });
}

}  // namespace seesaw::app
