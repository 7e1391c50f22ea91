// The tests of a claim in one panel: which comparisons were made, and which of them hold. Pure functions of records.
#pragma once

#include <string>
#include <vector>

#include "study/measures.h"

namespace seesaw {

// One comparison: of a method with another, with a number or with a curve. Not testable: a run ended too early, or P* is
// not known precisely enough, to decide it; `holds` then means nothing.
struct Comparison {
  std::string where;
  bool testable = true, holds = false;
  bool within_spread = false;  // not testable since the times differ by less than their spread
};

struct PanelResult {
  std::string panel, figures;  // figures: the measured numbers in words
  std::vector<Comparison> comparisons = {};
  double closeness = -infinity;  // -|log(ratio / threshold)| of the closest comparison: 0 at the threshold

  bool fails() const;                // some testable comparison does not hold
  void include_ratio(double ratio);  // measured / threshold, in `closeness`
};

PanelResult test_claim(const Claim& claim, const std::string& panel, const Experiment& experiment,
                       const Evidence& evidence);

std::string quantity_of(const Claim& claim);  // what the figures are: "passes to suboptimality 1e-06"

}  // namespace seesaw
