// The table of verdicts as Markdown, for docs/reproduction.md.
#pragma once

#include <string>
#include <vector>

#include "study/reproduce.h"

namespace seesaw {

std::string verdicts_markdown(const std::vector<Reproduced>& experiments, Mode mode, const std::string& date);

}  // namespace seesaw
