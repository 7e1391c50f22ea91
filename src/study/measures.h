// The results of an experiment, and the numbers by which claims, printed tables and the best trial are determined. Pure
// functions of records.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "study/experiment.h"
#include "study/record.h"

namespace seesaw {

// The runs of a method in a panel, one per seed.
struct MethodRuns {
  std::string panel, label;
  std::vector<RunRecord> runs;
  Criteria criteria;
  OptionValues tried = {};   // the values of the options that were tried
  std::string refused = {};  // why there are no runs
};

// P* of a panel: the lowest P of all runs, certified to be at most `uncertain` above the optimum.
struct Optimum {
  double value = infinity, uncertain = infinity;
};

struct Curve {
  std::string name, panel, style = "line";
  std::vector<double> x, y;
  std::string missing = {};  // why there is no curve: a theorem that does not apply
};
// y at x by linear interpolation (of log y if both neighbours are > 0); NaN outside.
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
bool measures_work(const Measure& measure);            // the cost of reaching `to`
bool measures_height(const Measure& measure);          // the gap or suboptimality `after` some passes
bool measures_time(const Measure& measure);            // seconds, which differ from run to run
bool needs_optimum(const Measure& measure);            // P*

// Gap or suboptimality at a check, divided by P if `relative`.
double height(const TraceRow& check, const Measure& measure, const Optimum& optimum);
// The least meaningful height: the tolerance of the run, or the uncertainty of P* if that is larger.
double resolution(const RunRecord& run, const Criteria& criteria, const Measure& measure, const Optimum& optimum);
// A measured number. If a limit ended the run before `to` was reached, value = infinity and only value > above is known;
// a run that diverged or stalled would never reach it (above = infinity).
struct Figure {
  double value = infinity;  // NaN: there is no run, or a limit ended it before `after`
  double above = infinity;
  double low = value, high = value;  // the quartiles over the runs
  bool at_resolution = false;        // of a height: the resolution is reached, so the height itself is not known
};
Figure measured(const Measure& measure, const RunRecord& run, const Criteria& criteria, const Optimum& optimum);
// The median over the seeds; NaN if there are none or one of them is NaN.
Figure measured(const Measure& measure, const MethodRuns& method, const Optimum& optimum);

std::string in_words(const Measure& measure);                       // "passes to suboptimality 1e-06"
std::string number_in_words(const Measure& measure, double value);  // "41", "0.31 s", "2.0e-07", "not reached"
std::string in_words(const Measure& measure,
                     const Figure& figure);  // of seconds with the quartiles: "0.31 s (0.30 to 0.35)"

}  // namespace seesaw
