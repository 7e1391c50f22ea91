// The page of a path: one JSON line that the page draws (report/src/path.js), and the measure of every model on other
// rows.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "data/dataset.h"
#include "select/path.h"

namespace seesaw::app {

struct PathValidation {
  std::string data;
  std::size_t rows = 0;
  std::string measure;         // "accuracy" or "mean squared error"
  bool larger = false;         // is better
  std::vector<double> values;  // one per point of the path

  std::size_t best() const;  // the index of the best point; of equal ones that with the strongest penalty
};

// Throws Error if the rows have no labels.
PathValidation validate_path(const Path& path, const Dataset& rows);

// `proved`: the sentence of the summary.
struct PathPageFacts {
  const Dataset& data;
  double seconds;
  std::string proved;
  std::optional<PathValidation> validation;
};
std::string path_page_line(const Path& path, const PathPageFacts& facts);

}  // namespace seesaw::app
