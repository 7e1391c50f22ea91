// An experiment with its data loaded and its runs planned, before anything runs.
#pragma once

#include <string>
#include <vector>

#include "study/experiment.h"
#include "study/plan.h"
#include "study/sets.h"

namespace seesaw {

struct PlannedPanel {
  Panel panel;
  std::string used, substitute;                 // which data, and a sentence if they are not the paper's
  std::shared_ptr<const StudyProblem> problem;  // null if there are no data; `substitute` gives the reason
};

// The runs of a method in a panel with one choice of the options that are tried: one per seed.
struct Trial {
  std::string panel, label;
  OptionValues tried;
  Criteria criteria;
  std::vector<std::size_t> runs;  // indices into study.runs
};

struct ExperimentPlan {
  Experiment experiment;  // with the panels of the mode only
  Mode mode = Mode::quick;
  std::vector<PlannedPanel> panels;
  Plan study;  // all runs, the reference runs included
  std::vector<Trial> trials;
};

// Throws Error if a set is unknown, cannot be read, or does not fit the objective.
ExperimentPlan plan_experiment(const Experiment& experiment, Mode mode, const PaperSets& sets,
                               const std::string& folder);

std::string name_of_problem(const Experiment& experiment, const std::string& panel);  // of the problem of a panel

// The number of runs if no method is refused; needs no data.
std::size_t expected_runs(const Experiment& experiment, Mode mode);

}  // namespace seesaw
