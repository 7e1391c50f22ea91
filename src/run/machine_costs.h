// The three costs that `auto` decides by with --costs measured: measured on this machine in some hundredths of a second
// and then kept in ~/.cache/seesaw/costs.json (XDG_CACHE_HOME), so that the same problem finds the same method again.
// Where they cannot be kept they are not measured: the built-in ones are used. Nothing here is called without that
// option.
#pragma once

#include <string>

#include "solvers/costs.h"

namespace seesaw {

Costs measure_costs();                              // one thread, at most 0.05 s
Costs machine_costs();                              // kept by the user's cache folder, once a process
Costs kept_costs(const std::string& cache_folder);  // the same for a folder; empty: none
std::string user_cache_folder();                    // where such files belong; empty where there is no such place

}  // namespace seesaw
