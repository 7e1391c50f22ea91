// Rows in groups, whose losses are functions of the scores of a whole group: the group of each row.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "data/dataset.h"
#include "data/readers/pairs.h"

namespace seesaw {

// Groups are numbered in the order of their first rows; their rows need not be contiguous.
struct RowGroups {
  std::size_t count = 0;
  std::vector<std::uint32_t> of_row = {};
};

RowGroups numbered(const Groups& groups);

// One line per row: its group, any text without blanks at the ends. Throws ParseError for an empty line.
RowGroups read_row_groups(const std::string& path);

// The groups of the rows of pair_rows(), from the labels and groups of the rows that it is given.
RowGroups groups_of_pairs(const std::vector<double>& labels, const Groups& groups);

// Throws Error if there is not one group per row, or no row. `path`: of the groups.
void require_rows(const RowGroups& groups, const Dataset& data, const std::string& path);

// Without the rows of weight 0, which the data does not have.
RowGroups with_positive_weights(const RowGroups& groups, const std::vector<double>& weights);

// A hash of the parsed data and its groups; their names do not count.
std::uint64_t content_hash(const Dataset& data, const RowGroups& groups);

}  // namespace seesaw
