// Estimated times of the methods: a pure function of the workload, the costs of the machine and the requested accuracy.
// Fitted to measurements on about twenty data sets (docs/solvers/auto.md). They rank methods; they are not predictions.
#pragma once

#include <string>
#include <vector>

#include "solvers/auto/workload.h"
#include "solvers/costs.h"

namespace seesaw {

struct Estimate {
  std::string name;  // of the recipe
  double seconds;
  double passes;       // as counted by the method
  std::string reason;  // facts about the problem: "nonsmooth loss, 123 features, condition estimate 1e5"
};

// The methods that `auto` considers for such a problem, the fastest first; never empty. `gap`: relative.
std::vector<Estimate> estimates(const Workload& work, const Costs& costs, double gap);

}  // namespace seesaw
