// seesaw compare DATA...: several methods on the same problems, each certified by the same gap.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <system_error>
#include <utility>

#include "base/atomic_file.h"
#include "base/interrupt.h"
#include "command.h"
#include "compare_table.h"
#include "data_options.h"
#include "group_options.h"
#include "model/losses/loss.h"
#include "objective_options.h"
#include "progress.h"
#include "report/page.h"
#include "seesaw/error.h"
#include "solvers/catalog.h"
#include "standard_streams.h"
#include "study/study.h"
#include "study_progress.h"
#include "summary.h"

namespace seesaw::app {
namespace {

constexpr std::array usual_solvers = {"auto", "sdca", "spdc", "adaspdc", "spdhg", "saga", "katyusha"};
constexpr std::array solvers_of_groups = {"auto", "sdca", "spdc", "adaspdc", "spdhg", "bpd"};

struct CompareOptions {
  DataOptions data;
  GroupOptions groups;
  std::vector<std::string> more_data;
  ObjectiveOptions objective;
  std::vector<double> lambdas, l1s, Cs;
  std::vector<std::string> solvers, families;
  std::size_t seeds = 1;
  std::uint64_t seed = 1;
  unsigned jobs = 1;
  std::optional<double> gap, gap_abs, max_passes, seconds;
  double check_every = 0;
  std::string report_path, jsonl_path;
  bool quiet = false;
};

std::vector<Competitor> competitors_of(const CompareOptions& o) {
  std::vector<Competitor> all;
  for (const std::string& text : o.solvers) {
    if (text == "all") {
      for (Competitor& one : all_competitors()) all.push_back(std::move(one));
    } else {
      all.push_back(competitor(text));
    }
  }
  for (const std::string& family : o.families)
    for (Competitor& one : competitors_of_family(family)) all.push_back(std::move(one));
  std::vector<Competitor> once;  // in the order given, each once
  for (Competitor& one : all) {
    one.solver.seed = o.seed;
    if (std::none_of(once.begin(), once.end(), [&](const Competitor& other) {
          return other.solver.name == one.solver.name && other.solver.options == one.solver.options;
        }))
      once.push_back(std::move(one));
  }
  return once;
}

// All combinations of the coefficients given, the rest as in `common`.
std::vector<Objective> objectives_of(const CompareOptions& o, const Objective& common) {
  const auto several = [](const std::vector<double>& given) {
    std::vector<std::optional<double>> all(given.begin(), given.end());
    if (all.empty()) all.emplace_back();
    return all;
  };
  std::vector<Objective> objectives;
  for (const auto& lambda : several(o.lambdas))
    for (const auto& C : several(o.Cs))
      for (const auto& l1 : several(o.l1s)) {
        Objective objective = common;
        objective.lambda = lambda;
        objective.C = C;
        objective.l1 = l1;
        objectives.push_back(objective);
      }
  return objectives;
}

// A file that is named twice is read once.
std::vector<std::string> files_of(const CompareOptions& o) {
  std::vector<std::string> files;
  std::vector<std::string> named = {o.data.path};
  named.insert(named.end(), o.more_data.begin(), o.more_data.end());
  for (const std::string& file : named) {
    const bool known = std::any_of(files.begin(), files.end(), [&](const std::string& other) {
      std::error_code ignored;
      return file == other || std::filesystem::equivalent(file, other, ignored);
    });
    if (!known) files.push_back(file);
  }
  if (files.size() > 1 && !o.data.weights.empty())
    throw Error("--weights has a weight for each row of one file; compare on one DATA at a time with it.");
  if (files.size() > 1 && o.groups.given() && o.groups.blocks != "qid")
    throw Error("--blocks has the group of each row of one file; compare on one DATA at a time with it.");
  return files;
}

std::vector<std::shared_ptr<const StudyProblem>> read_problems(const CompareOptions& o,
                                                               const std::vector<std::string>& files) {
  std::vector<std::shared_ptr<const StudyProblem>> subjects;
  for (const std::string& file : files) {
    DataOptions reading = o.data;
    reading.path = file;
    Dataset data = reading.read();
    const std::optional<RowGroups> groups = o.groups.read(reading, data);
    Objective common = o.objective.objective();
    o.objective.read_feature_penalties(data, static_cast<std::size_t>(o.data.index_base), common);
    const std::uint64_t hash = groups ? content_hash(data, *groups) : 0;
    PreparedData prepared = prepare(std::move(data), o.objective.scaling(), common.constant_feature(),
                                    o.data.float32 ? Precision::single : Precision::exact);
    if (groups) {
      prepared.hash = hash;
      prepared.groups = std::make_shared<const RowGroups>(*groups);
    }
    prepared.reading = o.data.as_typed() + o.groups.as_typed() + o.objective.feature_penalties_as_typed();
    const auto alike = std::count_if(files.begin(), files.end(),
                                     [&](const std::string& other) { return base_name(other) == base_name(file); });
    prepared.name = alike > 1 ? file : base_name(file);
    for (const Objective& objective : objectives_of(o, common))
      subjects.push_back(make_study_problem(prepared, objective));
  }
  return subjects;
}

Criteria criteria_of(const CompareOptions& o) {
  Criteria criteria{.gap = 1e-8, .max_passes = 1000};
  criteria.choose_gaps(o.gap, o.gap_abs);
  criteria.choose_limits(o.max_passes, o.seconds);
  criteria.check_every = o.check_every;
  validate(criteria);
  return criteria;
}

int compare(const CompareOptions& o) {
  const ThreadLimit threads(o.data.threads);
  const std::vector<Competitor> competitors = competitors_of(o);  // misspelt names are refused before the data is read
  const std::string loss = o.objective.objective().loss;
  if (!o.groups.check_loss(loss) && !loss.empty()) loss_kind(loss);
  o.groups.check_data(o.data);
  const Criteria criteria = criteria_of(o);
  const std::vector<std::string> files = files_of(o);
  const std::string jsonl_path = !o.jsonl_path.empty() || o.report_path.empty()
                                     ? o.jsonl_path
                                     : std::filesystem::path(o.report_path).replace_extension(".jsonl").string();
  refuse_sharing({o.report_path, jsonl_path});
  std::vector<std::string> inputs =
      inputs_of(o.data, {o.groups.blocks, o.objective.penalty_factors_path, o.objective.box_path});
  inputs.insert(inputs.end(), files.begin(), files.end());
  refuse_overwriting(o.report_path, inputs);
  refuse_overwriting(jsonl_path, inputs);
  if (!o.report_path.empty()) refuse_unwritable(o.report_path);  // refused now, not after the work
  // A file that exists is read and checked now; a new one is created when the data has been read.
  std::optional<Journal> kept_runs;
  std::error_code ignored;
  if (jsonl_path.empty() || std::filesystem::exists(jsonl_path, ignored)) kept_runs.emplace(jsonl_path);
  else refuse_unwritable(jsonl_path);

  const auto subjects = read_problems(o, files);
  if (!kept_runs) kept_runs.emplace(jsonl_path);
  Journal& journal = *kept_runs;
  const Plan plan = make_plan(subjects, competitors, o.seeds, criteria);
  const auto kept = static_cast<std::size_t>(std::count_if(
      plan.runs.begin(), plan.runs.end(), [&](const PlannedRun& run) { return journal.find(key_of(run)) != nullptr; }));
  if (!o.quiet)
    fmt::print("{} on {}: {}{}\n", counted(competitors.size(), "method"), counted(subjects.size(), "problem"),
               counted(plan.runs.size(), "run"),
               kept > 0 ? fmt::format(", {} of them in {} already", kept, jsonl_path) : "");
  const Dataset* shown = nullptr;
  for (const auto& subject : subjects) {
    const Dataset* data = subject->prepared.data.get();
    if (!o.quiet && std::exchange(shown, data) != data && !data->label_column.empty())
      fmt::print("{}: {}", subject->prepared.name, label_line(*data));
  }
  std::fflush(stdout);
  catch_interrupts();
  outlive_broken_pipes();
  if (!jsonl_path.empty()) result_is_written();
  const bool live = !o.quiet && Progress::wanted();
  StudyProgress progress(plan.runs.size(), kept, o.jobs);
  const StudyResult result = carry_out(plan, journal, o.jobs, live ? &progress : nullptr, interrupted);
  if (live) write_over("");

  if (!o.quiet)
    fmt::print("{}", comparison_table(result, criteria.gap,
                                      {terminal_columns(STDOUT_FILENO, 120), isatty(STDOUT_FILENO) != 0}));
  if (result.records.empty() && !result.stopped)
    throw Error("none of these methods could be run here; --solvers all shows which ones can.");
  if (!o.report_path.empty()) {
    write_page(o.report_path, fmt::format("{}\n", fmt::join(result.lines(), "\n")));
    if (!o.quiet) fmt::print("page: {}\nlines: {}\n", o.report_path, jsonl_path);
  }
  if (result.stopped) {
    fmt::print(stderr, "seesaw: stopped after {} of {} runs; {}\n", result.records.size(), plan.runs.size(),
               jsonl_path.empty() ? "with --jsonl FILE the finished ones would be kept."
                                  : "the same command continues with the rest.");
    return interrupted_by_user;
  }
  return success;
}

}  // namespace

void add_compare(Program& program) {
  auto options = std::make_shared<CompareOptions>();
  Command& command = program.add_command("compare", "run several methods on the same problems, to the same gap");
  options->data.declare(command);
  options->data.declare_weights(command);
  options->data.declare_table(command);
  options->groups.declare(command);
  command.add_option("DATA", options->more_data, "further data files");
  options->objective.declare_loss(command, "multiclass: softmax or multiclass-hinge; group-...: with --blocks", true);
  const auto several = [&](const char* name, std::vector<double>& values, const char* text, const char* standard) {
    command.add_option(name, values, text)
        .list(',')
        .placeholder("NUMBER,...")
        .standard(standard)
        .group("Objective")
        .common();
  };
  several("--lambda", options->lambdas, "coefficients of |x|^2 / 2, each a problem", "1 / sum of weights");
  several("--C", options->Cs, "costs as in LIBLINEAR, each a problem", "");
  several("--l1", options->l1s, "coefficients of |x|_1, each a problem", "");
  options->objective.declare_treatment(command);
  options->objective.declare_feature_penalties(command);
  std::vector<std::string> names = {"all"}, families;
  for (const Recipe& recipe : catalog()) {
    names.push_back(recipe.name);
    if (std::find(families.begin(), families.end(), family_of(recipe)) == families.end())
      families.push_back(family_of(recipe));
  }
  command.add_option("--solvers", options->solvers, "methods, or all; options follow colons: spdc:batch=4")
      .list(',')
      .completes(names)
      .placeholder("NAME,...")
      .standard(fmt::format("{}", fmt::join(usual_solvers, ", ")))
      .group("Methods")
      .common();
  command.add_option("--family", options->families, "all methods of a family")
      .list(',')
      .completes(families)
      .placeholder("NAME,...")
      .group("Methods");
  command.add_option("--seeds", options->seeds, "runs per method that draws at random")
      .between(1, 100000)
      .standard("1")
      .group("Methods")
      .common();
  command.add_option("--seed", options->seed, "the first seed").standard("1").group("Methods");
  const char* stopping = "Stopping of each run";
  command.add_option("--gap", options->gap, "converged when gap <= this * P; 0: off")
      .standard("1e-8")
      .group(stopping)
      .common();
  command.add_option("--gap-abs", options->gap_abs, "converged when gap <= this; given alone, it switches --gap off")
      .group(stopping);
  command.add_option("--max-passes", options->max_passes, "passes over the data")
      .standard("1000; no limit with --time")
      .group(stopping)
      .common();
  command.add_option("--time", options->seconds, "limit in seconds").standard("no limit").group(stopping).common();
  command.add_option("--check-every", options->check_every, "passes between gap checks")
      .standard("as in train")
      .group(stopping);
  command.add_option("--report", options->report_path, "write an HTML page with the curves")
      .placeholder("FILE")
      .group("Output")
      .common();
  command
      .add_option("--jsonl", options->jsonl_path,
                  "keep every check as a JSON line; runs finished in it are not run again")
      .placeholder("FILE")
      .standard("beside --report")
      .group("Output")
      .common();
  command.add_option("--jobs", options->jobs, "runs at a time; more than one makes the seconds less accurate")
      .between(1, 256)
      .standard("1")
      .group("Output")
      .common();
  command.add_quiet(options->quiet, "no progress line and no table");
  command.example("seesaw compare a9a --loss hinge --lambda 1e-3,1e-5", "the usual methods on two problems");
  command.example("seesaw compare a9a --solvers all --time 10 --report a9a.html", "every method, with a page");
  command.note("Exit codes: 0 every run has ended; 2 bad input; 130 interrupted (--jsonl keeps the finished runs).");
  command.on_run([options] {
    if (options->solvers.empty() && options->families.empty()) {
      if (options->groups.given()) options->solvers.assign(solvers_of_groups.begin(), solvers_of_groups.end());
      else options->solvers.assign(usual_solvers.begin(), usual_solvers.end());
    }
    return compare(*options);
  });
}

}  // namespace seesaw::app
