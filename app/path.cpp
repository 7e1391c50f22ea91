// seesaw path DATA [PATH]
#include "select/path.h"

#include <fmt/format.h>

#include <cstdio>
#include <memory>
#include <set>

#include "base/interrupt.h"
#include "base/output_path.h"
#include "base/stopwatch.h"
#include "command.h"
#include "data/readers/numbers.h"
#include "data_options.h"
#include "model/losses/loss.h"
#include "objective_options.h"
#include "path_choice.h"
#include "path_page.h"
#include "path_table.h"
#include "progress.h"
#include "report/page.h"
#include "seesaw/error.h"
#include "select/path_file.h"
#include "solvers/catalog.h"
#include "standard_streams.h"
#include "summary.h"

namespace seesaw::app {
namespace {

struct PathOptions {
  DataOptions data;
  ObjectiveOptions objective;
  std::string path, report, validation;
  std::optional<std::string> C, lambda, l1;
  std::optional<double> mix, gap, max_passes, seconds;
  double accuracy = 1e-3;
  unsigned points = 0;
  SolverSpec solver;
  bool json = false, quiet = false;
};

double number_of(const std::string& text, const std::string& all, const char* option) {
  try {
    std::size_t used = 0;
    const double value = std::stod(text, &used);
    if (used == text.size()) return value;
  } catch (const std::exception&) {
  }
  throw InvalidOption(option, all, "it must be a number, or a range SMALLER:LARGER");
}

// "0.001:1000" is a range, "0.01" a number that is kept.
void read_coefficient(const std::optional<std::string>& text, const char* option, std::optional<Interval>& range,
                      std::optional<double>& kept) {
  if (!text) return;
  const std::size_t colon = text->find(':');
  if (colon == std::string::npos) kept = number_of(*text, *text, option);
  else
    range =
        Interval{number_of(text->substr(0, colon), *text, option), number_of(text->substr(colon + 1), *text, option)};
}

PathRequest request_of(const PathOptions& o) {
  PathRequest request;
  FitSpec& spec = request.fit;
  spec.objective = o.objective.objective();
  read_coefficient(o.C, "C", request.C, spec.objective.C);
  read_coefficient(o.lambda, "lambda", request.lambda, spec.objective.lambda);
  read_coefficient(o.l1, "l1", request.l1, spec.objective.l1);
  request.mix = o.mix;
  request.accuracy = o.accuracy;
  request.points = o.points;
  if (request.points == 0 && !request.has_range()) request.points = glmnet_points;
  spec.scaling = o.objective.scaling();
  spec.precision = o.data.float32 ? Precision::single : Precision::exact;
  spec.solver = o.solver;
  spec.criteria.gap = o.gap.value_or(request.standard_gap());
  spec.criteria.choose_limits(o.max_passes, o.seconds);
  if (o.gap && request.points == 0 && !(*o.gap < o.accuracy))
    throw InvalidOption("gap", fmt::format("{}", *o.gap),
                        "it must be below --accuracy: a fit covers what its gap leaves");
  validate(request);
  return request;
}

class PathProgress final : public PathObserver {
 public:
  explicit PathProgress(bool quiet) : quiet_(quiet) {}

  void begin(const ResolvedPath& path, const Transform& transform) override {
    if (!quiet_) fmt::print("{}\n", describe_problem(path.problem, transform.scaling, transform.factor));
    std::fflush(stdout);
  }
  void fitting(double t, std::size_t number) override {
    if (!quiet_ && Progress::wanted()) write_over(fmt::format("fit {} at {:.4g}", number, t));
  }
  void added(const Path& path, const PathPoint& point) override {
    if (quiet_ || !Progress::wanted()) return;
    const std::string covers = point.coverage ? ", covers " + shown(path, point.coverage->interval()) : "";
    write_over(fmt::format("{}: {}{}", counted(path.points.size(), "model"), shown(path, point.t()), covers));
  }

 private:
  bool quiet_;
};

// The rows of --validation, with the features of the training data.
Dataset read_validation(const PathOptions& o, const LoadedData& loaded, const std::string& loss) {
  DataOptions reading = o.data;
  reading.path = o.validation;
  reading.weights.clear();
  reading.targets.clear();
  LoadedData read = reading.load_like(loaded.table, loaded.data.d(), "the training data " + o.data.path);
  Dataset rows = std::move(read.data);
  if (!rows.labelled) throw Error(fmt::format("{} has no labels to compare with.", rows.source));
  if (!rows.feature_names.empty() && !loaded.data.feature_names.empty() &&
      rows.feature_names != loaded.data.feature_names)
    throw Error(fmt::format("the columns of {} are not those of {}: keep the features in the same order.", rows.source,
                            loaded.data.source));
  if (!loss.empty() && loss_kind(loss).target == Target::number) return rows;
  if (!read.unknown_label.empty())
    throw Error(fmt::format("{} has rows with the label {}, which the training data does not have; remove them.",
                            rows.source, in_quotes(read.unknown_label)));
  const std::set<double> known(loaded.data.labels.begin(), loaded.data.labels.end());
  for (const double label : rows.labels)
    if (!known.contains(label))
      throw Error(fmt::format("{} has rows with the label {}, which the training data does not have; remove them.",
                              rows.source, label));
  return rows;
}

std::string validation_sentence(const Path& path, const PathValidation& validation) {
  const std::size_t best = validation.best();
  return fmt::format("best {} on {}: {:.6g}, at {}\n", validation.measure, validation.data, validation.values[best],
                     shown(path, path.points[best].t()));
}

int path_command(const PathOptions& o) {
  Stopwatch total, reading, fitting;
  total.start();
  PathRequest request = request_of(o);
  const ThreadLimit threads(o.data.threads);
  recipe_named(o.solver.name);
  if (!request.fit.objective.loss.empty()) loss_kind(request.fit.objective.loss);
  const std::string name = !o.path.empty()      ? o.path
                           : o.data.path == "-" ? "stdin.path"
                                                : base_name(o.data.path) + ".path";
  const std::string dual = dual_path_of(name);
  const std::vector<std::string> inputs =
      inputs_of(o.data, {o.objective.penalty_factors_path, o.objective.box_path, o.validation});
  for (const std::string& output : {name, dual}) {
    refuse_overwriting(output, inputs);
    if (OutputPath::of(output).direct())
      throw Error(fmt::format("{} cannot hold a path: it has two files, PATH and PATH.dual.", output));
    refuse_unwritable(output);
  }
  if (!o.report.empty()) {
    refuse_overwriting(o.report, inputs);
    refuse_sharing({name, dual, o.report});
    refuse_unwritable(o.report);
  }
  const LoadedData loaded = timed(reading, [&] { return o.data.load(); });
  const Dataset& data = loaded.data;
  refuse_unlabelled(data);
  o.objective.read_feature_penalties(data, static_cast<std::size_t>(o.data.index_base), request.fit.objective);
  if (!o.quiet) fmt::print("{}\n{}", describe_data(data, reading.seconds()), table_lines(loaded.notes));
  std::optional<Dataset> others;
  if (!o.validation.empty())
    others = timed(reading, [&] { return read_validation(o, loaded, request.fit.objective.loss); });
  PathProgress progress(o.quiet);

  catch_interrupts();
  outlive_broken_pipes();
  PathRun run = timed(fitting, [&] { return fit_path(data, request, &progress, {}, interrupted); });
  run.path.frame.table = loaded.table;
  write_path(run.path, name);
  result_is_written();
  std::optional<PathValidation> validation;
  if (others && !run.path.points.empty()) validation = validate_path(run.path, *others);
  if (!o.report.empty() && !run.path.points.empty())
    write_page(o.report, path_page_line(run.path, {data, fitting.seconds(), proved_sentence(run.path), validation}));
  total.stop();
  if (!o.quiet) {
    if (Progress::wanted()) write_over("");
    fmt::print("{}{}{}path: {}\n", path_table(run.path), path_summary(run, fitting.seconds()),
               validation ? validation_sentence(run.path, *validation) : "", name);
    if (!o.report.empty()) fmt::print("report: {}\n", o.report);
  }
  if (o.json) {
    nlohmann::ordered_json json = path_json(run);
    if (validation) {
      json["validation"] = {{"measure", validation->measure}, {"best", validation->best()}};
      for (std::size_t k = 0; k < validation->values.size(); ++k)
        json["points"][k]["validation"] = validation->values[k];
    }
    json["seconds"] = {{"read", reading.seconds()}, {"path", fitting.seconds()}, {"total", total.seconds()}};
    fmt::print("{}\n", json.dump());
  }
  if (run.termination == Termination::interrupted) return interrupted_by_user;
  return run.path.complete() ? success : stopped_early;
}

void declare_range(Command& command, PathOptions& o) {
  const char* group = "Path";
  command.add_option("--C", o.C, "range of LIBLINEAR's cost: lambda or l1 = 1 / (C sum of weights)")
      .placeholder("A:B")
      .group(group)
      .common();
  command.add_option("--lambda", o.lambda, "range of lambda, or a number that is kept")
      .placeholder("A:B")
      .group(group)
      .common();
  command.add_option("--l1", o.l1, "range of l1, or a number that is kept")
      .placeholder("A:B")
      .standard("without a range: glmnet's 100 values")
      .group(group)
      .common();
  command.add_option("--mix", o.mix, "elastic net: l1 = MIX tau, lambda = (1 - MIX) tau").group(group).common();
  command.add_option("--accuracy", o.accuracy, "for every value in the range a model has gap <= this * optimum")
      .standard("1e-3")
      .group(group)
      .common();
  command
      .add_option("--points", o.points, "fit so many values, equally spaced in the logarithm, instead of covering all")
      .standard("as many as cover the range")
      .group(group)
      .common();
}

}  // namespace

void add_path(Program& program) {
  auto options = std::make_shared<PathOptions>();
  Command& command =
      program.add_command("path", "train models for a range of C, lambda or l1, proved for every value in it");
  options->data.declare(command);
  options->data.declare_weights(command);
  options->data.declare_table(command);
  command.add_option("PATH", options->path, "file to write; dual points go to PATH.dual")
      .standard("name of DATA + .path");
  declare_range(command, *options);
  options->objective.declare_loss(command);
  options->objective.declare_treatment(command);
  options->objective.declare_feature_penalties(command);
  std::vector<std::string> names;
  for (const Recipe& recipe : catalog()) names.push_back(recipe.name);
  options->solver.name = default_solver;
  command.add_option("--solver", options->solver.name, "method of each fit; see seesaw solvers")
      .one_of(names)
      .standard(options->solver.name)
      .group("Method");
  command.add_option("--seed", options->solver.seed, "seed; same seed, same result, bit for bit")
      .not_negative()
      .standard("1")
      .group("Method");
  command.add_option("--gap", options->gap, "tolerance of each fit: gap <= this * P")
      .standard("a twentieth of --accuracy; with --points 1e-6")
      .group("Stopping");
  command.add_option("--max-passes", options->max_passes, "passes of each fit")
      .standard("10000; no limit with --time")
      .group("Stopping");
  command.add_option("--time", options->seconds, "limit of the whole path in seconds, reading not counted")
      .standard("no limit")
      .group("Stopping");
  command.add_option("--validation", options->validation, "other rows: accuracy or squared error of every model there")
      .placeholder("FILE")
      .group("Output")
      .common();
  command.add_option("--report", options->report, "write an HTML page: coefficients, gaps, support, validation")
      .placeholder("FILE")
      .group("Output")
      .common();
  command.add_flag("--json", options->json, "end standard output with one line of JSON").group("Output").common();
  command.add_quiet(options->quiet, "no progress line, table and summary");
  command.example("seesaw path a9a --loss hinge --C 1e-3:1e3", "models for every C, each within 0.1 %");
  command.example("seesaw path houses.csv --loss squared --reg l1", "lasso: glmnet's 100 values");
  command.example("seesaw predict test.svm a9a.path --C 0.37", "");
  command.note(
      "Exit codes: 0 all of the range is covered (--points: every fit converged); 3 ended before (what is done is "
      "written); 2 bad input; 130 interrupted.");
  command.on_run([options] { return path_command(*options); });
}

}  // namespace seesaw::app
