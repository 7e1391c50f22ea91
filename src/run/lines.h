// The results of runs as JSON lines: pure functions from what observers receive to the text of a line. Each line has a
// field `type`; docs/formats.md lists the others. Files, reports and comparisons consist of these lines; trace.h writes
// them.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "run/observer.h"

namespace seesaw {

using Json = nlohmann::ordered_json;

Json finite_or_null(double value);  // JSON has neither NaN nor infinity

// `more`: further fields of the caller, appended to those of the run (a field of the same name is replaced).
std::string header_line(const RunInfo& info, const Json& more = Json::object());
std::string check_line(const TraceRow& row);
std::string message_line(const std::string& sentence);
std::string end_line(const Outcome& outcome, const Json& more = Json::object());
// For a method that does not apply to the problem.
std::string refused_line(const std::string& method, const std::string& why, const Json& more = Json::object());

}  // namespace seesaw
