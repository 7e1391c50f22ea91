// seesaw train DATA [MODEL]
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <memory>
#include <set>
#include <sstream>

#include "base/first_rank.h"
#include "base/interrupt.h"
#include "base/output_path.h"
#include "base/stopwatch.h"
#include "checkpoint_options.h"
#include "command.h"
#include "data_options.h"
#include "deviations.h"
#include "disk_memory.h"
#include "fit_lines.h"
#include "group_options.h"
#include "help.h"
#include "model/liblinear_model.h"
#include "model/model_file.h"
#include "model/shared_model_file.h"
#include "objective_options.h"
#include "progress.h"
#include "ranks.h"
#include "run/fit.h"
#include "run/fit_groups.h"
#include "run/fit_targets.h"
#include "seesaw/error.h"
#include "solvers/catalog.h"
#include "standard_streams.h"
#include "summary.h"
#include "training_data.h"

namespace seesaw::app {
namespace {

std::set<std::string> as_set(const std::vector<std::string>& words) { return {words.begin(), words.end()}; }

struct TrainOptions {
  DataOptions data;
  GroupOptions groups;
  ObjectiveOptions objective;
  std::string model_path, model_format = "seesaw", dual_file = "auto", trace_path, report_path, warm_start, settle_path;
  FitSpec spec;
  CheckpointSpec checkpoint;
  std::optional<double> gap, gap_abs, max_passes, seconds;
  OptionValues method_options;
  bool json = false, quiet = false;
  const Command* command = nullptr;
  std::string command_line;
};

// An option of several methods, whose meaning or default may differ between them: one line per meaning.
std::string describe_for_all(const std::string& name) {
  std::vector<std::pair<std::string, std::string>> texts;  // text, the methods it is for
  for (const Recipe& recipe : catalog())
    for (const OptionInfo& option : recipe.options) {
      if (option.name != name) continue;
      const std::string text =
          fmt::format("{}: {} (default {})", spaced(option.allowed), option.meaning, option.standard);
      const auto same =
          std::find_if(texts.begin(), texts.end(), [&](const auto& other) { return other.first == text; });
      if (same == texts.end()) texts.emplace_back(text, recipe.name);
      else same->second += ", " + recipe.name;
    }
  std::string all;
  for (const auto& [text, methods] : texts) all += fmt::format("{}{}: {}", all.empty() ? "" : "\n", methods, text);
  return all;
}

// Values of an option that shells complete: "on|off" gives two, "a number above 0" none.
std::vector<std::string> values_of(const std::string& allowed) {
  std::vector<std::string> values;
  if (allowed.find(' ') != std::string::npos || allowed.find('|') == std::string::npos) return values;
  std::istringstream words(allowed);
  for (std::string word; std::getline(words, word, '|');) values.push_back(word);
  return values;
}

void declare_method(Command& train, TrainOptions& o) {
  const char* group = "Method";
  std::vector<std::string> names;
  std::map<std::string, std::set<std::string>> options;  // name, values
  for (const Recipe& recipe : catalog()) {
    names.push_back(recipe.name);
    for (const OptionInfo& option : recipe.options) options[option.name].merge(as_set(values_of(option.allowed)));
  }
  o.spec.solver.name = default_solver;
  train.add_option("--solver", o.spec.solver.name, "method; see seesaw solvers")
      .one_of(names)
      .standard(o.spec.solver.name)
      .group(group)
      .common();
  train.add_option("--seed", o.spec.solver.seed, "seed; same seed, same result, bit for bit")
      .not_negative()
      .standard("1")
      .group(group)
      .common();
  train.add_option("--warm-start", o.warm_start, "start from this model")
      .placeholder("MODEL")
      .standard("from zero")
      .group(group)
      .common();
  for (const auto& [name, values] : options)
    train
        .add_option_function<std::string>(
            "--" + name, [&o, key = name](const std::string& value) { o.method_options[key] = value; },
            describe_for_all(name))
        .placeholder(values.empty() ? "NUMBER" : "NAME")
        .completes({values.begin(), values.end()})
        .group("Options of single methods (seesaw solvers NAME)")
        .of_method();
}

void declare_stopping(Command& train, TrainOptions& o) {
  const char* group = "Stopping";
  Criteria& criteria = o.spec.criteria;
  train.add_option("--gap", o.gap, "converged when gap <= this * P; 0: off").standard("1e-4").group(group).common();
  train.add_option("--gap-abs", o.gap_abs, "converged when gap <= this; given alone, it switches --gap off")
      .standard("off")
      .group(group);
  train.add_option("--max-passes", o.max_passes, "passes over the data; one-versus-rest: per class")
      .standard("10000; no limit with --time")
      .group(group)
      .common();
  train.add_option("--time", o.seconds, "limit in seconds, reading not counted")
      .standard("no limit")
      .group(group)
      .common();
  train
      .add_option("--until-labels-settle", o.settle_path,
                  "stop when no label of this data can change any more; --gap is off unless given")
      .placeholder("FILE")
      .group(group);
  train.add_option("--check-every", criteria.check_every, "passes between gap checks")
      .standard("by the rate of the gap; else 5 % of the passes, fewer near the end")
      .group(group);
}

void declare_output(Command& train, TrainOptions& o) {
  const char* group = "Output";
  train.add_option("--format", o.model_format, "model file")
      .one_of({"seesaw", "liblinear"})
      .standard(o.model_format)
      .group(group)
      .common();
  train.add_option("--dual-file", o.dual_file, "dual point in a binary file beside the model, MODEL.dual")
      .one_of({"auto", "on", "off"})
      .standard("auto: on above 1,000,000 numbers")
      .group(group);
  train.add_option("--trace", o.trace_path, "write every gap check as a JSON line").placeholder("FILE").group(group);
  train.add_option("--report", o.report_path, "write an HTML page about the fit")
      .placeholder("FILE")
      .group(group)
      .common();
  train.add_flag("--json", o.json, "end standard output with one line of JSON").group(group).common();
  train.add_quiet(o.quiet, "no progress line and no summary");
}

FitSpec finish_spec(const TrainOptions& o) {
  FitSpec spec = o.spec;
  spec.objective = o.objective.objective();
  if (!o.data.pairs.empty()) {  // the intercept of a difference is 0
    if (o.command->has_given("--intercept") && spec.objective.intercept != Intercept::none)
      throw Error("--pairs has no intercept: it cancels in differences of rows; leave out --intercept.");
    spec.objective.intercept = Intercept::none;
  }
  o.groups.check_training(o.data, spec.objective.loss, o.model_format, !o.warm_start.empty());
  spec.scaling = o.objective.scaling();
  spec.precision = o.data.float32 ? Precision::single : Precision::exact;
  spec.solver.options = o.method_options;
  spec.criteria.choose_gaps(o.gap, o.gap_abs);
  spec.criteria.choose_limits(o.max_passes, o.seconds);
  if (!o.checkpoint.folder.empty()) spec.checkpoint = o.checkpoint;
  else if (o.checkpoint.resume || o.checkpoint.every_passes != 0)
    throw Error(fmt::format("{} needs --checkpoint DIR, the folder of the checkpoints.",
                            o.checkpoint.resume ? "--resume" : "--checkpoint-every"));
  if (!o.settle_path.empty() && !o.gap && !o.gap_abs) spec.criteria.gap = 0;
  if (o.model_format != "seesaw" && o.model_format != "liblinear")
    throw InvalidOption("format", o.model_format, "choose seesaw or liblinear");
  if (o.model_format == "liblinear" && spec.scaling == Scaling::rows)
    throw Error(
        "--scale rows cannot be kept in a LIBLINEAR model (each row has its own scale); leave out --format "
        "liblinear.");
  return spec;
}

DualPlace dual_place(const TrainOptions& o) {
  if (o.dual_file == "on") return DualPlace::beside_model;
  return o.dual_file == "off" ? DualPlace::in_model : DualPlace::by_size;
}

// Prints the problem before it is solved.
class Announcement final : public Observer {
 public:
  Announcement(const LoadedData& loaded, std::FILE* words)
      : targets_(loaded.targets ? loaded.targets->count : 1), words_(words) {}

  void begin(const RunInfo& info) override {
    if (targets_ > 1)
      fmt::print(words_, "{} targets: {} problems, P, D and gap summed over them; each is\n", targets_, targets_);
    fmt::print(words_, "{}\n", describe_problem(info.problem, info.scaling, info.factor));
    if (!info.choice.empty()) fmt::print(words_, "{} {}\n", info.solver.name, info.choice);
    std::fflush(words_);
    if (!info.remark.empty()) fmt::print(stderr, "note: {} {}.\n", info.solver.name, info.remark);
  }
  void message(const std::string& sentence) override {
    if (Progress::wanted()) fmt::print(stderr, "\r\x1b[K");
    fmt::print(words_, "{}\n", sentence);
    std::fflush(words_);
  }

 private:
  std::size_t targets_;
  std::FILE* words_;
};

// The rows whose labels are to settle, read like the training data.
Dataset read_settling(const TrainOptions& o, const LoadedData& loaded) {
  const Dataset& data = loaded.data;
  DataOptions reading = o.data;
  reading.path = o.settle_path;
  reading.weights.clear();
  reading.targets.clear();
  reading.pairs.clear();
  reading.label_optional = true;
  reading.memory.clear();  // its rows are a part of what the training needs
  Dataset rows = reading.load_like(loaded.table, data.d(), "the training data " + o.data.path).data;
  if (!rows.feature_names.empty() && !data.feature_names.empty() && rows.feature_names != data.feature_names)
    throw Error(fmt::format("the columns of {} are not those of {}: keep the features in the same order.", rows.source,
                            data.source));
  return rows;
}

int train(const TrainOptions& o) {
  Stopwatch total, reading;
  total.start();
  FitSpec spec = finish_spec(o);
  const ThreadLimit threads(o.data.threads);
  recipe_named(spec.solver.name);  // misspelt names are refused before the data is read
  const std::string row_loss = loss_of_rows(spec.objective.loss);
  if (!row_loss.empty()) loss_kind(row_loss);
  if (spec.checkpoint) on_first(ranks(), [&] { validate(*spec.checkpoint, spec.solver.name); });
  const std::string model_path = !o.model_path.empty() ? o.model_path
                                 : o.data.path == "-"  ? "stdin.model"
                                                       : base_name(o.data.path) + ".model";
  std::vector<std::string> inputs =
      inputs_of(o.data, {o.groups.blocks, o.objective.box_path, o.objective.penalty_factors_path, o.settle_path});
  const std::string dual_path = model_path + ".dual";
  refuse_overwriting(model_path, inputs);
  refuse_overwriting(dual_path, inputs);
  inputs.push_back(o.warm_start);
  refuse_overwriting(o.trace_path, inputs);
  refuse_overwriting(o.report_path, inputs);
  refuse_sharing({model_path, dual_path, o.trace_path, o.report_path});
  on_first(ranks(), [&] {  // refused now, not after the work
    for (const std::string& path : {model_path, o.report_path})
      if (!path.empty()) refuse_unwritable(path);
  });

  std::optional<LinearModel> warm;
  if (!o.warm_start.empty()) warm = read_model(o.warm_start);
  DataOptions source = o.data;
  source.working_memory = [&](const DataShape& shape) {
    const bool factors = !o.objective.penalty_factors_path.empty() || !o.objective.box_path.empty();
    return memory_for_training(shape, spec.solver.name, spec.objective.loss) +
           (factors ? memory_for_factors(shape) : 0) + (o.settle_path.empty() ? 0 : memory_for_rows_of(o.settle_path));
  };
  LoadedData loaded = timed(reading, [&] { return source.load_share(spec.data_hash); });
  Dataset& data = loaded.data;
  const auto groups = timed(reading, [&] { return o.groups.read(o.data, data); });
  set_nominal_memory(data, o.data.memory, spec.solver.name, spec.objective.loss);
  if (const Extents* const extents = extents_of(data.rows); extents != nullptr && o.data.weights.empty())
    spec.data_hash = extents->budget()->hash;
  if (spec.objective.loss.empty() && loaded.one_target) spec.objective.loss = "squared";  // as with several targets
  check_training_data(loaded, row_loss, o.model_format, warm ? &*warm : nullptr, o.warm_start);
  std::optional<Dataset> settling;
  if (!o.settle_path.empty()) {
    settling = timed(reading, [&] { return read_settling(o, loaded); });
    spec.until_labels_settle = &*settling;
  }
  o.objective.read_feature_penalties(data, static_cast<std::size_t>(o.data.index_base), spec.objective);

  // With a file on standard output (/dev/stdout), messages go to standard error.
  const auto taken = [](const std::string& path) { return is_standard_output(path); };
  std::FILE* const words = taken(model_path) || taken(o.trace_path) || taken(o.report_path) ? stderr : stdout;
  Announcement announcement(loaded, words);
  Progress progress(&data);
  FitLines lines({.line = o.command_line,
                  .deviations = deviations(*o.command, spec.solver.name),
                  .first_feature = static_cast<std::size_t>(o.data.index_base),
                  .model_path = model_path,
                  .trace_path = o.trace_path,
                  .report_path = o.report_path,
                  .writes = is_first()},
                 data);
  Observers observers;
  if (!o.quiet) {
    fmt::print(words, "{}\n{}", describe_data(data, reading.seconds()), table_lines(loaded.notes));
    if (const std::string line = memory_line(data, o.data.memory); !line.empty()) fmt::print(words, "{}\n", line);
    observers.push_back(&announcement);
    if (Progress::wanted()) observers.push_back(&progress);
  }
  if (lines.wanted()) observers.push_back(lines.observer());

  catch_interrupts();
  outlive_broken_pipes();
  const LinearModel* const begin = warm ? &*warm : nullptr;
  Fit result = groups           ? fit_groups(data, *groups, spec, observers, interrupted)
               : loaded.targets ? fit_targets(data, *loaded.targets, spec, begin, observers, interrupted)
                                : fit_taking_rows(data, spec, begin, observers, interrupted);
  result.model.table = loaded.table;
  result.model.of_pairs = !o.data.pairs.empty();
  bool beside = false;
  if (o.model_format == "liblinear") on_first(ranks(), [&] { write_liblinear_model(result.model, model_path); });
  else if (ranks() != nullptr) beside = write_shared_model(result.model, *ranks(), model_path, dual_place(o));
  else beside = write_model(result.model, model_path, dual_place(o));
  result_is_written();

  total.stop();
  const Timing timing{reading.seconds(), total.seconds()};
  if (!o.quiet)
    fmt::print(words, "{}\n{}model: {}{}\n", describe_outcome(result, spec.criteria), reads_line(data), model_path,
               beside ? fmt::format(", with {}.dual", model_path) : "");
  const bool can_continue = result.outcome.termination != Termination::converged;
  if (!o.quiet && spec.checkpoint && can_continue)
    fmt::print(words, "checkpoint: {}; the same command with --resume continues the run\n", spec.checkpoint->folder);
  if (!o.quiet && ranks() != nullptr) {
    const Ranks::Counts& sent = ranks()->counts();
    fmt::print(words, "{} ranks; rank 0 sent {} messages, {} bytes, in {} operations\n", ranks()->size(), sent.messages,
               sent.bytes, sent.operations);
  }
  if (lines.wanted() && lines.finish(result, timing) && !o.quiet && !o.report_path.empty())
    fmt::print(words, "report: {}\n", o.report_path);
  if (o.json) fmt::print(words, "{}\n", json_line(data, result, timing, threads.count()));
  switch (result.outcome.termination) {
    case Termination::converged:
    case Termination::labels_settled:
      return success;
    case Termination::interrupted:
      return interrupted_by_user;
    default:
      return stopped_early;
  }
}

}  // namespace

void add_train(Program& program, const std::string& command_line) {
  auto options = std::make_shared<TrainOptions>();
  Command& command = program.add_command("train", "train a linear model until its duality gap is below the tolerance");
  options->command = &command;
  options->command_line = command_line;
  options->data.declare(command);
  options->data.declare_weights(command);
  options->data.declare_targets(command);
  options->data.declare_pairs(command);
  options->groups.declare(command);
  options->data.declare_table(command);
  options->data.declare_memory(command);
  command.add_option("MODEL", options->model_path, "file to write").standard("name of DATA + .model");
  options->objective.declare_loss(command, "binary losses: one-versus-rest if multiclass; group-...: with --blocks",
                                  true);
  options->objective.declare_coefficients(command);
  options->objective.declare_treatment(command);
  options->objective.declare_feature_penalties(command);
  declare_method(command, *options);
  declare_stopping(command, *options);
  declare_checkpoints(command, options->checkpoint);
  declare_output(command, *options);
  command.example("seesaw train data.svm", "logistic regression, l2 penalty, C = 1");
  command.example("seesaw train houses.csv --loss squared --l1 0.01", "lasso");
  command.example("seesaw train a9a --loss hinge --C 10 --gap 1e-6 --report fit.html", "SVM");
  command.note("LIBLINEAR's -s -c -B -e -w -p -q are understood: seesaw train -s 2 -c 4 DATA");
  command.note(
      "Exit codes: 0 converged; 3 stopped before (the model is written with its certificate); 2 bad input; 130 "
      "interrupted.");
  command.runs_over_ranks();
  command.on_run([options] { return train(*options); });
}

}  // namespace seesaw::app
