// The encoding of a table, for `seesaw explain`.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "data/table/table_encoding.h"

namespace seesaw::app {

// The label, then how columns become features, a line each: at most twenty columns.
std::vector<std::string> table_in_words(const TableEncoding& table);
nlohmann::ordered_json table_json(const TableEncoding& table);

}  // namespace seesaw::app
