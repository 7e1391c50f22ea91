// The options given whose values are not the defaults.
#pragma once

#include <string>

#include "options.h"
#include "run/lines.h"

namespace seesaw::app {

// A list of {option, value, default}, in the order of the help. Output and threads are left out: they do not change the
// fit. The default of an option of the method is that of `solver`.
Json deviations(const Command& command, const std::string& solver);

}  // namespace seesaw::app
