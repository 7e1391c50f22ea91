// The check of a path: every certificate, recomputed from the data by the independent verifier, and the intervals.
#pragma once

#include <string>
#include <vector>

#include "data/dataset.h"
#include "select/path.h"

namespace seesaw {

struct PathVerification {
  std::vector<std::string> problems;  // whole sentences; empty: the path holds
  std::size_t certificates = 0;       // recomputed
  double largest_gap = 0;             // of the points, relative to P, recomputed
  Bounds of_largest = {};             // of the point with the largest relative gap
  std::vector<Interval> uncovered;    // of t
};

// A range that was to be covered must be; of a grid the parts that are not are only listed.
PathVerification verify_path(const Dataset& data, const Path& path);

}  // namespace seesaw
