// Runs as their lines tell of them: what a study knows afterwards, whether it ran them now or long ago.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "run/observer.h"

namespace seesaw {

struct RunRecord {
  std::string key, label, solver, family, problem, experiment, panel;
  std::string method;  // where `auto` was asked: who did the work
  std::uint64_t seed = 1;
  bool reference = false;
  std::vector<TraceRow> checks;
  std::string status;              // empty: it was cut off
  std::vector<std::string> lines;  // header to end, as they stood
  std::size_t first_line = 0;      // where the header stands, counted from 0

  bool finished() const { return !status.empty() && status != "interrupted"; }
};

// In their order; empty lines and those that are not of a run are left out. Throws Error with the number of a line that
// is no JSON object, except for the last one, which may have been cut off.
std::vector<RunRecord> read_records(const std::vector<std::string>& lines, const std::string& source);

}  // namespace seesaw
