// The runs of a comparison as tables for the terminal.
#pragma once

#include <string>
#include <vector>

#include "study/study.h"

namespace seesaw::app {

struct TableStyle {
  std::size_t columns = 120;  // of the terminal; if too few, passes and seconds are separate tables
  bool bold = false;
};

// For each problem: methods by the passes and seconds they took to each gap, medians over seeds, the best marked; what
// was not run, with the reason. `gap`: the tolerance on the relative gap, 0 if none.
std::string comparison_table(const StudyResult& result, double gap, const TableStyle& style);

}  // namespace seesaw::app
