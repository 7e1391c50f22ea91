// Runs read from their lines: a study needs nothing else of a run, whenever it was carried out.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "run/observer.h"

namespace seesaw {

struct RunRecord {
  std::string key, label, solver, family, problem, experiment, panel;
  std::string method;  // `auto`: the methods used
  std::uint64_t seed = 1;
  bool reference = false;
  std::vector<TraceRow> checks;
  std::string status;              // empty: truncated, there is no end line
  std::vector<std::string> lines;  // header to end, unchanged
  std::size_t first_line = 0;      // index of the header, from 0

  bool finished() const { return !status.empty() && status != "interrupted"; }
};

// The field `type` of a line; lines of version 2, which have none, are identified by their fields.
enum class LineType { header, check, message, end, other };
LineType type_of(const std::string& line);  // `other` also for text that is not a JSON object

// In file order; empty lines and lines outside of runs are skipped. Throws Error with the number of a line that is not a
// JSON object, except for the last line, which may be truncated.
std::vector<RunRecord> read_records(const std::vector<std::string>& lines, const std::string& source);

}  // namespace seesaw
