// The label column of a table.
#pragma once

#include <cstddef>
#include <string>

#include "data/table/table_text.h"

namespace seesaw {

// The place of the label column among `names`: a name, else a number from 1; names.size() for "none", and if there is no
// such column, which is a problem. Empty: the first.
std::size_t label_place(const TableText& table, const std::string& label, Problems& problems);

// The problem of a label <= 0 under `log_target`.
void add_without_logarithm(const TableText& table, std::size_t label, const Cell& cell, Problems& problems);

}  // namespace seesaw
