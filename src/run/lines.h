// Everything measured, as JSON lines: pure functions from what a run tells to the text of a line. docs/formats.md lists
// the fields. Files, reports and comparisons hold these lines and nothing else; where they go is told by trace.h.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "run/observer.h"

namespace seesaw {

using Json = nlohmann::ordered_json;

Json finite_or_null(double value);  // JSON has neither NaN nor infinity

// `more`: fields that only the caller knows, added behind those of the run (a field of the same name is replaced).
std::string header_line(const RunInfo& info, const Json& more = Json::object());
std::string check_line(const TraceRow& row);
std::string news_line(const std::string& sentence);
std::string end_line(const Outcome& outcome, const Json& more = Json::object());
// A method that does not apply to the problem.
std::string refused_line(const std::string& method, const std::string& why, const Json& more = Json::object());

}  // namespace seesaw
