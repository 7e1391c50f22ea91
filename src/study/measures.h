// What was measured of an experiment, and the numbers that claims, printed tables and the choice between tries are made
// of. Pure functions of records.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "study/experiment.h"
#include "study/record.h"

namespace seesaw {

// The runs of a method in a panel, one a seed.
struct MethodRuns {
  std::string panel, label;
  std::vector<RunRecord> runs;
  Criteria criteria;
  OptionValues tried = {};   // which values of the tries these runs have
  std::string refused = {};  // why there are none
};

// P* of a panel: the lowest P that any run found, certified to be at most `uncertain` too high.
struct Optimum {
  double value = infinity, uncertain = infinity;
};

struct Curve {
  std::string name, panel, style = "line";
  std::vector<double> x, y;
  std::string missing = {};  // why there is none: the bound of a theorem that does not apply
};
// y at x, on the straight line between its neighbours (of logarithms where both are above 0); NaN outside.
double interpolate(const Curve& curve, double x);

struct Evidence {
  std::vector<MethodRuns> methods;
  std::map<std::string, Optimum> optima;  // by panel
  std::vector<Curve> curves;

  const MethodRuns* find(const std::string& panel, const std::string& label) const;
  const Curve* curve(const std::string& panel, const std::string& name) const;
  Optimum optimum(const std::string& panel) const;
};

const std::vector<std::string>& comparing_measures();  // numbers of a method in a panel
const std::vector<std::string>& claim_measures();      // those, and the tests that are not comparisons
bool measures_work(const Measure& measure);            // how far it is until `to`
bool measures_height(const Measure& measure);          // how high it is `after` some passes
bool of_the_optimum(const Measure& measure);           // it needs P*

// Gap or suboptimality at a check, relative to P where asked for.
double height(const TraceRow& check, const Measure& measure, const Optimum& optimum);
// No less than what the run was asked for, or than P* is known to: below, differences are chance.
double resolution(const RunRecord& run, const Criteria& criteria, const Measure& measure, const Optimum& optimum);
// A number, or no more than that it lies above `above`: a run that a limit ended before it arrived might have arrived
// soon after; one that diverged or stalled would not (above = infinity).
struct Figure {
  double value = infinity;  // NaN: there is no run, or a limit ended it before `after`
  double above = infinity;
};
Figure measured(const Measure& measure, const RunRecord& run, const Criteria& criteria, const Optimum& optimum);
// The median over the seeds; NaN where there are none, or one of them is NaN.
Figure measured(const Measure& measure, const MethodRuns& method, const Optimum& optimum);

std::string in_words(const Measure& measure);                       // "passes to suboptimality 1e-06"
std::string number_in_words(const Measure& measure, double value);  // "41", "0.31 s", "2.0e-07", "not reached"

}  // namespace seesaw
