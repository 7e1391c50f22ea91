// The runs of a comparison as a table for the terminal.
#pragma once

#include <string>
#include <vector>

#include "study/study.h"

namespace seesaw::app {

// For each problem: methods by the passes and seconds they took to each gap, medians over seeds, the best marked.
std::string comparison_table(const StudyResult& result, bool bold);

}  // namespace seesaw::app
