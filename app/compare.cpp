// seesaw compare DATA...: methods side by side on the same problems, each certified by the same gap.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <memory>

#include "base/interrupt.h"
#include "command.h"
#include "compare_table.h"
#include "data_options.h"
#include "objective_options.h"
#include "progress.h"
#include "seesaw/error.h"
#include "study/study.h"

namespace seesaw::app {
namespace {

constexpr const char* usual_solvers = "auto,sdca,spdc,adaspdc,spdhg,saga,katyusha";

struct CompareOptions {
  DataOptions data;
  std::vector<std::string> more_data;
  ObjectiveOptions objective;
  std::vector<double> lambdas, l1s, Cs;
  std::vector<std::string> solvers, families;
  std::size_t seeds = 1;
  std::uint64_t seed = 1;
  unsigned jobs = 1;
  std::optional<double> gap, gap_abs, max_passes, seconds;
  double check_every = 0;
  std::string jsonl_path;
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
    if (std::none_of(once.begin(), once.end(), [&](const Competitor& c) { return c.label == one.label; }))
      once.push_back(std::move(one));
  }
  return once;
}

// Every combination of the coefficients that were given.
std::vector<Objective> objectives_of(const CompareOptions& o) {
  const auto several = [](const std::vector<double>& given) {
    std::vector<std::optional<double>> all(given.begin(), given.end());
    if (all.empty()) all.emplace_back();
    return all;
  };
  std::vector<Objective> objectives;
  for (const auto& lambda : several(o.lambdas))
    for (const auto& C : several(o.Cs))
      for (const auto& l1 : several(o.l1s)) {
        Objective objective = o.objective.objective();
        objective.lambda = lambda;
        objective.C = C;
        objective.l1 = l1;
        objectives.push_back(objective);
      }
  return objectives;
}

// One line that is written over: which run of how many, and how far it is.
class StudyProgress final : public StudyObserver {
 public:
  StudyProgress(std::size_t total, std::size_t kept) : total_(total), done_(kept) {}
  void check(const PlannedRun& run, const TraceRow& row) override {
    const auto now = std::chrono::steady_clock::now();
    if (now - shown_ < std::chrono::milliseconds(100)) return;
    shown_ = now;
    write_over(fmt::format("{} of {}: {} on {}, seed {}: pass {:.4g}, gap {:.1e} P", done_ + 1, total_, run.label,
                           run.subject->name, run.solver.seed, row.passes, row.gap / row.primal));
  }
  void end(const PlannedRun&, const RunRecord&) override { ++done_; }
  void refused(const PlannedRun&, const Refused&) override { ++done_; }

 private:
  std::size_t total_, done_;
  std::chrono::steady_clock::time_point shown_{};
};

int compare(const CompareOptions& o) {
  const ThreadLimit threads(o.data.threads);
  const std::vector<Competitor> competitors = competitors_of(o);
  const std::vector<Objective> objectives = objectives_of(o);
  Criteria criteria{.gap = 1e-8, .max_passes = 1000};
  criteria.choose_gaps(o.gap, o.gap_abs);
  criteria.choose_limits(o.max_passes, o.seconds);
  criteria.check_every = o.check_every;
  validate(criteria);

  std::vector<std::string> paths = {o.data.path};
  paths.insert(paths.end(), o.more_data.begin(), o.more_data.end());
  refuse_overwriting(o.jsonl_path, paths);
  Journal journal(o.jsonl_path);

  std::vector<std::shared_ptr<const Subject>> subjects;
  for (const std::string& path : paths) {
    DataOptions reading = o.data;
    reading.path = path;
    const Material material =
        prepare(reading.read(), o.objective.scaling(), o.objective.objective().intercept == Intercept::penalized,
                o.data.float32 ? Precision::single : Precision::exact);
    for (const Objective& objective : objectives) subjects.push_back(make_subject(material, objective));
  }

  const Plan plan = make_plan(subjects, competitors, o.seeds, criteria);
  std::size_t kept = 0;
  for (const PlannedRun& run : plan.runs) kept += journal.find(key_of(run)) != nullptr ? 1 : 0;
  if (!o.quiet)
    fmt::print("{} methods on {} problems: {} runs{}\n", competitors.size(), subjects.size(), plan.runs.size(),
               kept > 0 ? fmt::format(", of which {} are in {} already", kept, o.jsonl_path) : "");
  std::fflush(stdout);
  catch_interrupts();
  StudyProgress progress(plan.runs.size(), kept);
  const StudyResult result =
      carry_out(plan, journal, o.jobs, !o.quiet && Progress::wanted() ? &progress : nullptr, interrupted);
  if (Progress::wanted()) write_over("");

  if (!o.quiet) fmt::print("{}", comparison_table(result, isatty(STDOUT_FILENO) != 0));
  if (!result.stopped) return success;
  fmt::print(stderr, "seesaw: stopped after {} of {} runs; {}\n", result.records.size(), plan.runs.size(),
             o.jsonl_path.empty() ? "with --jsonl FILE the finished ones would be kept."
                                  : "the same command goes on with the rest.");
  return interrupted_by_user;
}

}  // namespace

void add_compare(CLI::App& program, Run& chosen) {
  auto options = std::make_shared<CompareOptions>();
  CLI::App* command = program.add_subcommand("compare", "methods side by side on the same problems");
  options->data.declare(*command);
  command->add_option("more", options->more_data, "further data files")->option_text("[DATA ...]");
  options->objective.declare_loss(*command);
  const auto several = [&](const char* name, std::vector<double>& values, const char* text) {
    command->add_option(name, values, text)->delimiter(',')->group("Objective")->option_text("NUMBER,...");
  };
  several("--lambda", options->lambdas, "coefficients of |x|^2 / 2, each a problem; default 1 / (sum of weights)");
  several("--C", options->Cs, "LIBLINEAR's costs, each a problem");
  several("--l1", options->l1s, "coefficients of |x|_1, each a problem");
  options->objective.declare_treatment(*command);
  options->solvers = {};
  command
      ->add_option("--solvers", options->solvers,
                   fmt::format("methods, or all; options behind colons: spdc:batch=4. Default: {}", usual_solvers))
      ->delimiter(',')
      ->group("Methods")
      ->option_text("NAME,...");
  command->add_option("--family", options->families, "all methods of a family, as seesaw solvers --families names them")
      ->delimiter(',')
      ->group("Methods")
      ->option_text("NAME,...");
  command->add_option("--seeds", options->seeds, "runs of each method that draws at random")
      ->check(CLI::PositiveNumber)
      ->capture_default_str()
      ->group("Methods");
  command->add_option("--seed", options->seed, "the first of them")->capture_default_str()->group("Methods");
  const char* stopping = "Stopping of each run";
  command->add_option("--gap", options->gap, "converged when gap <= this * P; 0 is off (default 1e-8)")
      ->group(stopping);
  command->add_option("--gap-abs", options->gap_abs, "converged when gap <= this; alone it switches --gap off")
      ->group(stopping);
  command->add_option("--max-passes", options->max_passes, "passes over the data (default 1000; no limit with --time)")
      ->group(stopping);
  command->add_option("--time", options->seconds, "seconds")->group(stopping);
  command->add_option("--check-every", options->check_every, "passes between gap checks (default: spaced as in train)")
      ->group(stopping);
  command
      ->add_option("--jsonl", options->jsonl_path,
                   "keep every check as a JSON line; finished runs in it are not run again")
      ->group("Output");
  command->add_option("--jobs", options->jobs, "runs at a time; more than one blurs the seconds")
      ->check(CLI::Range(1U, 256U))
      ->capture_default_str()
      ->group("Output");
  command->add_flag("--quiet", options->quiet, "no progress line and no table")->group("Output");
  command->footer(
      "Exit codes: 0 every run is over, 2 bad input, 130 interrupted (finished runs are kept with --jsonl).");
  command->callback([options, &chosen] {
    if (options->solvers.empty() && options->families.empty())
      for (const std::string& name : CLI::detail::split(usual_solvers, ',')) options->solvers.push_back(name);
    chosen = [options] { return compare(*options); };
  });
}

}  // namespace seesaw::app
