// What a user asked for that is not the default.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "run/lines.h"

namespace seesaw::app {

// A list of {option, value, default}, in the order of the help. Output and threads are left out: they do not change the
// fit. The default of an option of the method is that of `solver`.
Json deviations(const CLI::App& command, const std::string& solver);

}  // namespace seesaw::app
