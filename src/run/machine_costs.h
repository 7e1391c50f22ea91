// The three costs by which `auto` selects a method with --costs measured: measured on this machine in at most 0.05 s and
// stored in ~/.cache/seesaw/costs.json (XDG_CACHE_HOME), so that the same problem gets the same method every time. If they
// cannot be stored they are not measured, and the built-in ones are used. Used with that option only.
#pragma once

#include <string>

#include "solvers/costs.h"

namespace seesaw {

Costs measure_costs();                                // one thread, at most 0.05 s
Costs machine_costs();                                // stored in the user's cache folder; read once per process
Costs stored_costs(const std::string& cache_folder);  // the same for any folder; empty: the built-in costs
std::string user_cache_folder();                      // empty if the environment defines none

}  // namespace seesaw
