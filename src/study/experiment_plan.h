// An experiment with its data in place and its runs planned, before anything runs.
#pragma once

#include <string>
#include <vector>

#include "study/experiment.h"
#include "study/plan.h"
#include "study/sets.h"

namespace seesaw {

struct PlannedPanel {
  Panel panel;
  std::string used, substitute;                 // which data, and a sentence where it is not the paper's
  std::shared_ptr<const StudyProblem> subject;  // null where there is nothing to run on: `substitute` says why
};

// The runs of a method in a panel with one choice of the options that are tried; one a seed.
struct Trial {
  std::string panel, label;
  OptionValues tried;
  Criteria criteria;
  std::vector<std::size_t> runs;  // of the plan
};

struct ExperimentPlan {
  Experiment experiment;  // only with the panels of the mode
  Mode mode = Mode::quick;
  std::vector<PlannedPanel> panels;
  Plan plan;  // with the reference runs
  std::vector<Trial> trials;
};

// Throws Error where a set is unknown, cannot be read, or does not go with the objective.
ExperimentPlan plan_experiment(const Experiment& experiment, Mode mode, const PaperSets& sets,
                               const std::string& folder);

std::string name_of_problem(const Experiment& experiment, const std::string& panel);  // of the subject there

// How many runs it will be, if no method is refused: known before the data is read.
std::size_t expected_runs(const Experiment& experiment, Mode mode);

}  // namespace seesaw
