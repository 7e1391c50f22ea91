// Curves of a figure that are not runs: the bounds of theorems, and quantities measured at every step of a method. A kind
// is one line in series_kinds(); its function is pure and has its own file.
#pragma once

#include <string>
#include <vector>

#include "model/problem.h"
#include "study/measures.h"

namespace seesaw {

struct SeriesInput {
  const Problem& problem;
  const OptionValues& options;          // to be read by an OptionReader, which checks names and ranges
  const std::vector<MethodRuns>& runs;  // of the panel
  Optimum optimum;                      // of the panel, if the experiment has a reference run
  double max_passes = 0;                // of the panel's runs
};

struct SeriesKind {
  std::string name;  // "sdca-smooth-bound"
  // A single curve gets the name of the experiment's [[series]]; several have their own names. The caller sets panel and
  // style.
  std::vector<Curve> (*make)(const SeriesInput&);
};

const std::vector<SeriesKind>& series_kinds();
// Throws Error for options that the kind does not have.
std::vector<Curve> make_series(const SeriesSpec& spec, const SeriesInput& input);

}  // namespace seesaw
