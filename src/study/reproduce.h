// From the runs of an experiment to its verdicts and the lines of its page.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "study/claims.h"
#include "study/experiment_plan.h"
#include "study/printed.h"
#include "study/study.h"

namespace seesaw {

// The table of a setting that the paper leaves open: a cell per panel and method.
struct Sweep {
  PrintedTable table;
  std::vector<PrintedCell> cells;  // row by row
};

struct Reproduced {
  Experiment experiment;
  std::vector<ClaimVerdict> verdicts;
  std::vector<std::string> lines;  // the experiment, its runs (the best trials), curves, verdicts
  std::vector<std::string> keys;   // of these runs
  std::vector<Sweep> sweeps;
};

// `result`: of carry_out(plan.study), not stopped.
Reproduced conclude(const ExperimentPlan& plan, const StudyResult& result);

// The number of verdicts by what they rest on and by finding; only those that occur.
using VerdictCounts = std::map<Basis, std::map<Finding, std::size_t>>;
VerdictCounts count_verdicts(const std::vector<Reproduced>& experiments);
// Of the claims with stand-ins: their verdicts by the panels with the paper's data alone.
std::map<Finding, std::size_t> count_on_paper_data(const std::vector<Reproduced>& experiments);

// The first line: machine, date and mode. `date`: 2026-11-16.
std::string machine_line(Mode mode, const std::string& date);

// The lines with at most `most` consecutive checks, evenly spaced, including the first and the last: enough for a figure.
std::vector<std::string> thinned(const std::vector<std::string>& lines, std::size_t most);

// All lines of the journal's file: those of the page, then the runs that the page does not show, marked `hidden`.
std::vector<std::string> lines_of_file(std::vector<std::string> page, const std::vector<std::string>& shown_keys,
                                       const Journal& journal);

}  // namespace seesaw
