// What a person reads when training is over, and the JSON line a program reads.
#pragma once

#include <string>

#include "run/fit.h"

namespace seesaw::app {

std::string describe_data(const Dataset& data, double read_seconds);
std::string describe_problem(const Problem& problem);
std::string describe_outcome(const Fit& fit, const Criteria& criteria);

struct Timing {
  double read = 0, total = 0;
};
std::string json_line(const Dataset& data, const Fit& fit, const Timing& timing, int threads);

}  // namespace seesaw::app
