#include "study/experiment_plan.h"

#include <fmt/format.h>

#include <map>
#include <tuple>

#include "seesaw/error.h"
#include "solvers/catalog.h"
#include "study/command_line.h"

namespace seesaw {
namespace {

// Where the optimum of a panel is: `auto`, until the gap cannot be told from rounding.
const Criteria reference_criteria = {.gap = 1e-12, .gap_abs = 0, .max_passes = 5000};

// Every choice of one value for each option that is tried.
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

// Data and problems of an experiment: each set is read and prepared once.
class ProblemCache {
 public:
  ProblemCache(const PaperSets& sets, const std::string& folder) : sets_(sets), folder_(folder) {}

  const LoadedSet& load(const std::string& data, const Settings& settings) {
    const auto key = std::pair(data, settings.rows.value_or(0));
    auto found = loaded_.find(key);
    if (found == loaded_.end()) found = loaded_.emplace(key, load_set(sets_, data, folder_, settings.rows)).first;
    return found->second;
  }

  std::shared_ptr<const StudyProblem> subject(const std::string& data, const Settings& settings,
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
  Planner(ExperimentPlan& stage, ProblemCache& cache) : stage_(stage), cache_(cache) {}

  void add_panel(const Panel& panel) {
    const Experiment& e = stage_.experiment;
    PlannedPanel staged{panel, {}, {}, nullptr};
    const Settings settings = e.settings_of(stage_.mode, panel);
    const LoadedSet& set = cache_.load(panel.data, settings);
    staged.used = set.used;
    staged.substitute = set.substitute;
    as_file_ = set.as_file;
    staged.subject = cache_.subject(panel.data, settings, name_of_problem(stage_.experiment, panel.name));
    if (e.reference)
      add({staged.subject, {.name = "auto", .options = {}}, reference_criteria, "reference"}, panel, true);
    for (const Method& method : e.methods_in(stage_.mode, panel)) add_method(panel, method, staged.subject);
    stage_.panels.push_back(std::move(staged));
  }

 private:
  void add_method(const Panel& panel, const Method& method, const std::shared_ptr<const StudyProblem>& subject) {
    const Settings settings = stage_.experiment.settings_of(stage_.mode, panel, &method);
    const Recipe& recipe = recipe_named(method.solver);
    if (const auto why = missing(recipe, subject->problem)) {
      stage_.plan.refused.push_back(
          {method.label, recipe.name, subject->name, fmt::format("{} needs {}", recipe.name, *why)});
      stage_.trials.push_back({panel.name, method.label, {}, settings.criteria(), {}});
      return;
    }
    for (const OptionValues& choice : choices_of(method)) {
      Trial trial{panel.name, method.label, choice, settings.criteria(), {}};
      OptionValues options = method.options;
      for (const auto& [option, value] : choice) options[option] = value;
      for (std::size_t k = 0; k < seeds_of(method, settings); ++k) {
        trial.runs.push_back(stage_.plan.runs.size());
        add({subject, {.name = recipe.name, .options = options, .seed = 1 + k}, trial.criteria, method.label}, panel,
            false);
      }
      stage_.trials.push_back(std::move(trial));
    }
  }

  void add(PlannedRun run, const Panel& panel, bool reference) {
    run.experiment = stage_.experiment.name;
    run.panel = panel.name;
    run.reference = reference;
    if (!as_file_)  // `train` cannot read what was generated, cut or prepared here
      run.command =
          fmt::format("seesaw reproduce {} --{}", shell_quoted(stage_.experiment.called), name_of(stage_.mode));
    stage_.plan.runs.push_back(std::move(run));
  }

  ExperimentPlan& stage_;
  ProblemCache& cache_;
  bool as_file_ = false;
};

}  // namespace

std::string name_of_problem(const Experiment& experiment, const std::string& panel) {
  return fmt::format("{}, {}", experiment.name, panel);
}

ExperimentPlan plan_experiment(const Experiment& experiment, Mode mode, const PaperSets& sets,
                               const std::string& folder) {
  ExperimentPlan stage;
  stage.experiment = experiment;
  stage.experiment.panels = experiment.panels_in(mode);
  stage.mode = mode;
  ProblemCache cache(sets, folder);
  Planner planner(stage, cache);
  for (const Panel& panel : stage.experiment.panels) {
    try {
      planner.add_panel(panel);
    } catch (const Error& error) {
      throw Error(fmt::format("{}, panel \"{}\": {}", experiment.name, panel.name, error.what()));
    }
  }
  return stage;
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
