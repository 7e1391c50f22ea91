// Whether the labels of a table fit a loss.
#pragma once

#include <string>
#include <vector>

#include "data/dataset.h"
#include "data/table/table_encoding.h"

namespace seesaw {

// Throws Error with a sentence: text labels with a regression loss, a log target without one. `loss`: empty: the default,
// which is for classes.
void check_table_labels(const TableEncoding& table, const std::string& loss, const Dataset& data);

// A label in words: its text where the labels of a table are text and it is one of them, otherwise the number.
std::string label_name(const std::vector<std::string>& classes, double label);

}  // namespace seesaw
