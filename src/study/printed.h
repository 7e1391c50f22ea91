// The numbers that a paper prints, with ours beside them.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "run/lines.h"
#include "study/measures.h"

namespace seesaw {

struct PrintedCell {
  std::string panel, method, paper, ours;
  std::optional<double> paper_number;  // where the text is one
  double our_number = 0;               // NaN: not run
};
std::vector<PrintedCell> printed_cells(const PrintedTable& table, const Evidence& evidence);

// For the page. `other_data`: of panels that were not run on the paper's set, or not on all of it: on what.
Json printed_json(const PrintedTable& table, const Evidence& evidence,
                  const std::map<std::string, std::string>& other_data);

}  // namespace seesaw
