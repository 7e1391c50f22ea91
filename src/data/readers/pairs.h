// Ranking within groups (queries): every two rows of a group with different labels become one row, their difference. A linear
// model of these rows orders the rows of a group by their scores, and its accuracy is the fraction of pairs in order.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "data/dataset.h"

namespace seesaw {

using Groups = std::vector<std::int64_t>;  // the group of each row; its rows need not be contiguous

Groups read_groups(const std::string& path);  // one whole number per row, separated by blanks or line ends
Groups read_qids(const std::string& path);    // of LIBSVM text: `label qid:7 index:value ...`

// For each pair i < j of rows of a group with different labels, groups in the order of their first rows: a_i - a_j, or
// a_j - a_i for every second pair, with the label +1 if the row with the higher label is the minuend, else -1. So both labels
// occur. Throws Error if there is no such pair, if the rows have weights, or if there are too many.
Dataset pair_rows(const Dataset& data, const Groups& groups);

}  // namespace seesaw
