// Rows with identical features have the same score z. Their joint effect on x is Y = sum c_i y_i over the group; how Y
// is distributed within the group is a problem of its own,
//
//     max sum c_i [-phi_i*(y_i)]   subject to   sum c_i y_i = Y:        y_i = phi_i'(z) at the z where they sum to Y.
//
// Coordinate steps solve it slowly. For two equal rows with opposite labels, y_1 and y_2 must reach their bounds
// together, and each step moves one of them by at most 1/q_i = lambda/(c_i |a_i|^2): thousands of passes at large C (ten
// such groups in the 16,000 rows of news20, six in reuters). Distributed exactly at the start, D begins at the loss that
// no x can avoid.
#pragma once

#include <cstdint>
#include <vector>

#include "model/problem.h"

namespace seesaw {

// The groups of two or more rows with equal features, found by a 64-bit hash. A hash collision only makes the start
// worse; it does not affect correctness. Reads every entry once.
std::vector<std::vector<std::uint32_t>> equal_rows(const Rows& rows);

// Redistributes Y in each group; D does not decrease and v is unchanged.
void split_equal_rows(const Problem& problem, const std::vector<std::vector<std::uint32_t>>& groups,
                      std::vector<double>& y);

}  // namespace seesaw
