// A path for people and programs: its table, its summary, its JSON line.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "select/path.h"

namespace seesaw::app {

// One line per model: parameter, objective, gap, support, passes, what it covers.
std::string path_table(const Path& path);

// What the path proves, and what it does not; one sentence per line.
std::string path_summary(const PathRun& run, double seconds);

// The sentence of the summary on what is proved, without a full stop.
std::string proved_sentence(const Path& path);

nlohmann::ordered_json path_json(const PathRun& run);
nlohmann::ordered_json point_json(const Path& path, std::size_t k);  // of one model

}  // namespace seesaw::app
