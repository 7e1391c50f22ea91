#include "study/experiment_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>

#include "seesaw/error.h"
#include "solvers/catalog.h"
#include "study/command_line.h"

namespace seesaw {
namespace {

// The run that determines the optimum of a panel: `auto`, to floating-point accuracy.
const Criteria reference_criteria = {.gap = 1e-12, .gap_abs = 0, .max_passes = 5000};

// All combinations of the values of the options that are tried.
std::vector<OptionValues> choices_of(const Method& method) {
  std::vector<OptionValues> all = {{}};
  for (const auto& [option, values] : method.tries) {
    std::vector<OptionValues> longer;
    for (const OptionValues& choice : all)
      for (const std::string& value : values) {
        longer.push_back(choice);
        longer.back()[option] = value;
      }
    all = std::move(longer);
  }
  return all;
}

std::size_t seeds_of(const Method& method, const Settings& settings) {
  return recipe_named(method.solver).random ? settings.seeds.value_or(1) : 1;
}

// The data and problems of an experiment: each set is read and prepared once.
class ProblemCache {
 public:
  ProblemCache(const PaperSets& sets, const std::string& folder) : sets_(sets), folder_(folder) {}

  const LoadedSet& load(const std::string& data, const Settings& settings) {
    const auto key = std::pair(data, settings.rows.value_or(0));
    auto found = loaded_.find(key);
    if (found == loaded_.end()) found = loaded_.emplace(key, load_set(sets_, data, folder_, settings.rows)).first;
    return found->second;
  }

  std::shared_ptr<const StudyProblem> problem(const std::string& data, const Settings& settings,
                                              const std::string& name) {
    const Objective objective = settings.objective();
    const bool constant = objective.intercept == Intercept::penalized;
    const std::string scale = settings.scale.value_or("none");
    const auto key = std::tuple(data, settings.rows.value_or(0), scale, constant);
    auto prepared = prepared_.find(key);
    if (prepared == prepared_.end())
      prepared = prepared_.emplace(key, prepare(load(data, settings).data, scaling_of(scale), constant)).first;
    return make_study_problem(prepared->second, objective, name);
  }

 private:
  const PaperSets& sets_;
  const std::string& folder_;
  std::map<std::pair<std::string, std::size_t>, LoadedSet> loaded_;
  std::map<std::tuple<std::string, std::size_t, std::string, bool>, PreparedData> prepared_;
};

class Planner {
 public:
  Planner(ExperimentPlan& plan, ProblemCache& cache) : plan_(plan), cache_(cache) {}

  void add_panel(const Panel& panel) {
    const Experiment& e = plan_.experiment;
    PlannedPanel planned{panel, {}, {}, nullptr};
    const Settings settings = e.settings_of(plan_.mode, panel);
    const LoadedSet& set = cache_.load(panel.data, settings);
    planned.used = set.used;
    planned.substitute = set.substitute;
    as_file_ = set.as_file;
    planned.problem = cache_.problem(panel.data, settings, name_of_problem(plan_.experiment, panel.name));
    if (e.reference)
      add({planned.problem, {.name = "auto", .options = {}}, reference_criteria, "reference"}, panel, true);
    const std::size_t first_run = plan_.study.runs.size(), first_trial = plan_.trials.size();
    for (const Method& method : e.methods_in(plan_.mode, panel)) add_method(panel, method, planned.problem);
    if (e.alone) interleave(first_run, first_trial);
    plan_.panels.push_back(std::move(planned));
  }

 private:
  // Orders the runs of a panel by seed, then by method: a load of the machine that changes slowly affects all methods alike.
  void interleave(std::size_t first_run, std::size_t first_trial) {
    std::vector<PlannedRun>& runs = plan_.study.runs;
    std::vector<std::size_t> order(runs.size() - first_run), place(order.size());
    std::iota(order.begin(), order.end(), first_run);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return runs[a].solver.seed < runs[b].solver.seed; });
    std::vector<PlannedRun> ordered;
    for (std::size_t k = 0; k < order.size(); ++k) {
      place[order[k] - first_run] = first_run + k;
      ordered.push_back(std::move(runs[order[k]]));
    }
    std::move(ordered.begin(), ordered.end(), runs.begin() + static_cast<std::ptrdiff_t>(first_run));
    for (std::size_t t = first_trial; t < plan_.trials.size(); ++t)
      for (std::size_t& run : plan_.trials[t].runs) run = place[run - first_run];
  }

  void add_method(const Panel& panel, const Method& method, const std::shared_ptr<const StudyProblem>& problem) {
    const Settings settings = plan_.experiment.settings_of(plan_.mode, panel, &method);
    const Recipe& recipe = recipe_named(method.solver);
    if (const auto why = missing(recipe, problem->problem, {.name = recipe.name, .options = method.options})) {
      plan_.study.refused.push_back(
          {method.label, recipe.name, problem->name, fmt::format("{} needs {}", recipe.name, *why)});
      plan_.trials.push_back({panel.name, method.label, {}, settings.criteria(), {}});
      return;
    }
    for (const OptionValues& choice : choices_of(method)) {
      Trial trial{panel.name, method.label, choice, settings.criteria(), {}};
      OptionValues options = method.options;
      for (const auto& [option, value] : choice) options[option] = value;
      for (std::size_t k = 0; k < seeds_of(method, settings); ++k) {
        trial.runs.push_back(plan_.study.runs.size());
        add({problem, {.name = recipe.name, .options = options, .seed = 1 + k}, trial.criteria, method.label}, panel,
            false);
      }
      plan_.trials.push_back(std::move(trial));
    }
  }

  void add(PlannedRun run, const Panel& panel, bool reference) {
    run.experiment = plan_.experiment.name;
    run.panel = panel.name;
    run.reference = reference;
    if (!as_file_)  // the data were generated, cut or prepared here: `train` cannot read them
      run.command = fmt::format("seesaw reproduce {} --{}", shell_quoted(plan_.experiment.called), name_of(plan_.mode));
    plan_.study.runs.push_back(std::move(run));
  }

  ExperimentPlan& plan_;
  ProblemCache& cache_;
  bool as_file_ = false;
};

}  // namespace

std::string name_of_problem(const Experiment& experiment, const std::string& panel) {
  return fmt::format("{}, {}", experiment.name, panel);
}

ExperimentPlan plan_experiment(const Experiment& experiment, Mode mode, const PaperSets& sets,
                               const std::string& folder) {
  ExperimentPlan plan;
  plan.experiment = experiment;
  plan.experiment.panels = experiment.panels_in(mode);
  plan.mode = mode;
  ProblemCache cache(sets, folder);
  Planner planner(plan, cache);
  for (const Panel& panel : plan.experiment.panels) {
    try {
      planner.add_panel(panel);
    } catch (const Error& error) {
      throw Error(fmt::format("{}, panel \"{}\": {}", experiment.name, panel.name, error.what()));
    }
  }
  return plan;
}

std::size_t expected_runs(const Experiment& experiment, Mode mode) {
  std::size_t count = 0;
  for (const Panel& panel : experiment.panels_in(mode)) {
    count += experiment.reference ? 1 : 0;
    for (const Method& method : experiment.methods_in(mode, panel))
      count += choices_of(method).size() * seeds_of(method, experiment.settings_of(mode, panel, &method));
  }
  return count;
}

}  // namespace seesaw
