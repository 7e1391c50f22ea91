// Curves of a figure that are no runs: the bounds of theorems, and probes that follow a method step by step. A kind is
// a line in series_kinds(); its function is pure, in a file of its own.
#pragma once

#include <string>
#include <vector>

#include "model/problem.h"
#include "study/measures.h"

namespace seesaw {

struct SeriesInput {
  const Problem& problem;
  const OptionValues& options;          // read them by an OptionReader: names, ranges and messages come with it
  const std::vector<MethodRuns>& runs;  // of the panel
  Optimum optimum;                      // of the panel, where the experiment has a reference run
  double max_passes = 0;                // how far the panel's runs go
};

struct SeriesKind {
  std::string name;  // "sdca-smooth-bound"
  // One curve takes the name of the experiment's [[series]]; several have names of their own. Panel and style are
  // filled in by the caller.
  std::vector<Curve> (*make)(const SeriesInput&);
};

const std::vector<SeriesKind>& series_kinds();
// Throws Error for an option that the kind does not have.
std::vector<Curve> make_series(const SeriesSpec& spec, const SeriesInput& input);

}  // namespace seesaw
