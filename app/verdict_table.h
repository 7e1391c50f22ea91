// The verdicts of a reproduction as a table for the terminal.
#pragma once

#include <string>
#include <vector>

#include "study/reproduce.h"

namespace seesaw::app {

// For each experiment what was claimed, what was measured, and whether it holds, in lines of at most `width` letters;
// side by side if wide enough.
std::string verdict_table(const std::vector<Reproduced>& experiments, std::size_t width, bool bold);

}  // namespace seesaw::app
