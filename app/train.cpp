// seesaw train DATA [MODEL]
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <set>

#include "base/interrupt.h"
#include "base/output_path.h"
#include "base/stopwatch.h"
#include "command.h"
#include "data_options.h"
#include "deviations.h"
#include "fit_lines.h"
#include "model/liblinear_model.h"
#include "model/model_file.h"
#include "objective_options.h"
#include "progress.h"
#include "run/fit.h"
#include "seesaw/error.h"
#include "solvers/catalog.h"
#include "standard_streams.h"
#include "summary.h"

namespace seesaw::app {
namespace {

struct TrainOptions {
  DataOptions data;
  ObjectiveOptions objective;
  std::string model_path, model_format = "seesaw", trace_path, report_path, warm_start;
  FitSpec spec;
  std::optional<double> gap, gap_abs, max_passes, seconds;
  OptionValues method_options;
  bool json = false, quiet = false;
  const Command* command = nullptr;
  std::string command_line;
};

// An option that several methods have, each with its own meaning or default where they differ.
std::string describe_for_all(const std::string& name) {
  std::vector<std::pair<std::string, std::string>> texts;  // text, the methods it is for
  for (const Recipe& recipe : catalog())
    for (const OptionInfo& option : recipe.options) {
      if (option.name != name) continue;
      const std::string text = fmt::format("{}: {} (default {})", option.allowed, option.meaning, option.standard);
      const auto same =
          std::find_if(texts.begin(), texts.end(), [&](const auto& other) { return other.first == text; });
      if (same == texts.end()) texts.emplace_back(text, recipe.name);
      else same->second += ", " + recipe.name;
    }
  std::string all;
  for (const auto& [text, methods] : texts) all += fmt::format("{}{}; {}", all.empty() ? "" : "\n", text, methods);
  return all;
}

void declare_method(Command& train, TrainOptions& o) {
  std::string names;
  std::set<std::string> options;
  for (const Recipe& recipe : catalog()) {
    names += (names.empty() ? "" : " | ") + recipe.name;
    for (const OptionInfo& option : recipe.options) options.insert(option.name);
  }
  o.spec.solver.name = default_solver;
  train.add_option("--solver", o.spec.solver.name, names)->capture_default_str()->group("Method");
  for (const std::string& name : options)
    train
        .add_option_function<std::string>(
            "--" + name, [&o, name](const std::string& value) { o.method_options[name] = value; },
            describe_for_all(name))
        ->group("Method");
  train.add_option("--seed", o.spec.solver.seed, "same seed, same result, bit for bit")
      ->not_negative()
      ->capture_default_str()
      ->group("Method");
  train.add_option("--warm-start", o.warm_start, "start from the primal and dual point of this model")
      ->default_str("from zero")
      ->group("Method");
}

void declare_stopping(Command& train, TrainOptions& o) {
  const char* group = "Stopping";
  Criteria& criteria = o.spec.criteria;
  train.add_option("--gap", o.gap, "converged when gap <= this * P; 0 is off")->default_str("1e-4")->group(group);
  train.add_option("--gap-abs", o.gap_abs, "converged when gap <= this; alone it switches --gap off")
      ->default_str("off")
      ->group(group);
  train.add_option("--max-passes", o.max_passes, "passes over the data, for each problem of one-versus-rest")
      ->default_str("10000; no limit with --time")
      ->group(group);
  train.add_option("--time", o.seconds, "seconds of training")->default_str("no limit")->group(group);
  train.add_option("--check-every", criteria.check_every, "passes between gap checks")
      ->default_str("by the gap's rate, else 5 % of the passes, fewer near the end")
      ->group(group);
}

void declare_output(Command& train, TrainOptions& o) {
  const char* group = "Output";
  train.add_option("--format", o.model_format, "seesaw | liblinear: format of the model file")
      ->capture_default_str()
      ->group(group);
  train.add_option("--trace", o.trace_path, "write every check as a JSON line to this file")->group(group);
  train.add_option("--report", o.report_path, "write a page about the fit to this HTML file")->group(group);
  train.add_flag("--json", o.json, "end standard output with one line of JSON")->group(group);
  train.add_flag("--quiet", o.quiet, "no progress line and no summary")->group(group);
}

FitSpec finish_spec(const TrainOptions& o) {
  FitSpec spec = o.spec;
  spec.objective = o.objective.objective();
  spec.scaling = o.objective.scaling();
  spec.precision = o.data.float32 ? Precision::single : Precision::exact;
  spec.solver.options = o.method_options;
  spec.criteria.choose_gaps(o.gap, o.gap_abs);
  spec.criteria.choose_limits(o.max_passes, o.seconds);
  if (o.model_format != "seesaw" && o.model_format != "liblinear")
    throw InvalidOption("--format", o.model_format, "choose seesaw or liblinear");
  if (o.model_format == "liblinear" && spec.scaling == Scaling::rows)
    throw Error(
        "--scale rows cannot be kept in a LIBLINEAR model (its rows are scaled one by one); leave out --format "
        "liblinear.");
  return spec;
}

// Says what is being solved before the solving starts.
class Announcement final : public Observer {
 public:
  Announcement(const Dataset& data, std::FILE* words) : data_(data), words_(words) {}

  void begin(const RunInfo& info) override {
    fmt::print(words_, "{}\n", describe_problem(info.problem, data_, info.scaling));
    if (const auto choice = choice_on(info.problem, info.solver))
      fmt::print(words_, "{} {}\n", info.solver.name, *choice);
    std::fflush(words_);
    if (const auto message = remark_on(info.problem, info.solver))
      fmt::print(stderr, "note: {} {}.\n", info.solver.name, *message);
  }
  void news(const std::string& sentence) override {
    if (Progress::wanted()) fmt::print(stderr, "\r\x1b[K");
    fmt::print(words_, "{}\n", sentence);
    std::fflush(words_);
  }

 private:
  const Dataset& data_;
  std::FILE* words_;
};

int train(const TrainOptions& o) {
  Stopwatch total, reading;
  total.start();
  FitSpec spec = finish_spec(o);
  const ThreadLimit threads(o.data.threads);
  recipe_named(spec.solver.name);  // misspelt names are told before the data is read
  if (!spec.objective.loss.empty()) loss_kind(spec.objective.loss);
  const std::string model_path = !o.model_path.empty() ? o.model_path
                                 : o.data.path == "-"  ? "stdin.model"
                                                       : base_name(o.data.path) + ".model";
  refuse_overwriting(model_path, {o.data.path, o.data.weights, o.objective.penalty_factors_path, o.objective.box_path});
  const std::vector<std::string> inputs = {o.data.path, o.data.weights, o.warm_start, o.objective.penalty_factors_path,
                                           o.objective.box_path};
  refuse_overwriting(o.trace_path, inputs);
  refuse_overwriting(o.report_path, inputs);
  refuse_sharing({model_path, o.trace_path, o.report_path});
  for (const std::string& path : {model_path, o.report_path})
    if (!path.empty()) refuse_unwritable(path);  // told now, not after the work

  std::optional<LinearModel> warm;
  if (!o.warm_start.empty()) warm = read_model(o.warm_start);
  const Dataset data = timed(reading, [&] { return o.data.read(); });
  o.objective.read_feature_penalties(data, static_cast<std::size_t>(o.data.index_base), spec.objective);

  // With a file on standard output (/dev/stdout), what is said about it goes to standard error.
  const auto taken = [](const std::string& path) { return is_standard_output(path); };
  std::FILE* const words = taken(model_path) || taken(o.trace_path) || taken(o.report_path) ? stderr : stdout;
  Announcement announcement(data, words);
  Progress progress;
  FitLines lines({.line = o.command_line,
                  .deviations = deviations(*o.command, spec.solver.name),
                  .first_feature = static_cast<std::size_t>(o.data.index_base),
                  .model_path = model_path,
                  .trace_path = o.trace_path,
                  .report_path = o.report_path},
                 data);
  Observers observers;
  if (!o.quiet) {
    fmt::print(words, "{}\n", describe_data(data, reading.seconds()));
    observers.push_back(&announcement);
    if (Progress::wanted()) observers.push_back(&progress);
  }
  if (lines.wanted()) observers.push_back(lines.observer());

  catch_interrupts();
  outlive_broken_pipes();
  const Fit result = fit(data, spec, warm ? &*warm : nullptr, observers, interrupted);
  if (o.model_format == "liblinear") write_liblinear_model(result.model, model_path);
  else write_model(result.model, model_path);
  result_is_written();

  total.stop();
  const Timing timing{reading.seconds(), total.seconds()};
  if (!o.quiet) fmt::print(words, "{}\nmodel: {}\n", describe_outcome(result, spec.criteria), model_path);
  if (lines.wanted() && lines.finish(result, timing) && !o.quiet && !o.report_path.empty())
    fmt::print(words, "report: {}\n", o.report_path);
  if (o.json) fmt::print(words, "{}\n", json_line(data, result, timing, threads.count()));
  switch (result.outcome.termination) {
    case Termination::converged:
      return success;
    case Termination::interrupted:
      return interrupted_by_user;
    default:
      return stopped_early;
  }
}

}  // namespace

void add_train(Command& program, Run& chosen, const std::string& command_line) {
  auto options = std::make_shared<TrainOptions>();
  Command* command = program.add_subcommand("train", "train a model until its duality gap is closed");
  options->command = command;
  options->command_line = command_line;
  options->data.declare(*command);
  options->data.declare_weights(*command);
  command
      ->add_option("model", options->model_path,
                   "file to write; default: name of the data with .model behind; with /dev/stdout the summary goes to "
                   "standard error")
      ->option_text("[MODEL]");
  options->objective.declare_loss(*command);
  options->objective.declare_coefficients(*command);
  options->objective.declare_treatment(*command);
  options->objective.declare_feature_penalties(*command);
  declare_method(*command, *options);
  declare_stopping(*command, *options);
  declare_output(*command, *options);
  command->footer(
      "Exit codes: 0 converged, 3 stopped before (model written, certificate says how far), 2 bad input, 130 "
      "interrupted.");
  command->callback([options, &chosen] { chosen = [options] { return train(*options); }; });
}

}  // namespace seesaw::app
