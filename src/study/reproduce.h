// From the runs of an experiment to its verdicts and to the lines that its page is made of.
#pragma once

#include <string>
#include <vector>

#include "study/claims.h"
#include "study/experiment_plan.h"
#include "study/study.h"

namespace seesaw {

struct Reproduced {
  Experiment experiment;
  std::vector<ClaimVerdict> verdicts;
  std::vector<std::string> lines;  // the experiment, its runs (of the tries the best), curves, verdicts
  std::vector<std::string> keys;   // of the runs among them
};

// `result`: of carrying out the stage's plan, nothing stopped.
Reproduced conclude(const ExperimentPlan& stage, const StudyResult& result);

// Where and when: the first line. `date`: 2026-11-16.
std::string machine_line(Mode mode, const std::string& date);

// The same with at most so many checks in a row, evenly spread, the first and the last among them: enough for a figure.
std::vector<std::string> thinned(const std::vector<std::string>& lines, std::size_t most);

// All lines for the file of the journal: those of the page, and then runs that the page does not show, marked so.
std::vector<std::string> lines_of_file(std::vector<std::string> page, const std::vector<std::string>& shown_keys,
                                       const Journal& journal);

}  // namespace seesaw
