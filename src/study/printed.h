// The numbers printed in a paper, and ours.
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
  std::optional<double> paper_number;  // if the text is a number
  double our_number = 0;               // NaN: not run
};
std::vector<PrintedCell> printed_cells(const PrintedTable& table, const Evidence& evidence);

// For the page. `other_data`: panel -> the data used, if they are not the whole set of the paper.
Json printed_json(const PrintedTable& table, const Evidence& evidence,
                  const std::map<std::string, std::string>& other_data);

}  // namespace seesaw
