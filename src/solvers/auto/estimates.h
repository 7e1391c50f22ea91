// How long each method would take: a pure function of the workload, the machine's costs and the accuracy asked for.
// Fitted to measurements on some twenty data sets (docs/solvers/auto.md); they rank methods, they promise nothing.
#pragma once

#include <string>
#include <vector>

#include "solvers/auto/workload.h"
#include "solvers/costs.h"

namespace seesaw {

struct Estimate {
  std::string name;  // of the recipe
  double seconds;
  double passes;    // as the method counts them
  std::string why;  // it is quick here: the end of "NAME, because ..."
};

// The methods that `auto` considers for such a problem, the quickest first; never empty. `gap`: relative.
std::vector<Estimate> estimates(const Workload& work, const Costs& costs, double gap);

}  // namespace seesaw
