// seesaw tune
#pragma once

#include <string>

#include "options.h"

namespace seesaw::app {

void add_tune(Program& program, const std::string& command_line);  // as typed, for the page

}  // namespace seesaw::app
