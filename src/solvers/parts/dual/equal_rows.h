// Rows with the same features, whose losses no model can satisfy one by one: they share the score z. What they do
// together to x is Y = sum c_i y_i over the group; how Y is split among them is a problem of its own,
//
//     max sum c_i [-phi_i*(y_i)]   with   sum c_i y_i = Y:        y_i = phi_i'(z) at the z where they sum to Y.
//
// Coordinate steps are bad at it. Of two equal rows with opposite labels, y_1 and y_2 must go to the ends of their
// domains together, and each step moves one of them by no more than 1/q_i = lambda/(c_i |a_i|^2): thousands of passes
// at large C (ten such groups among the 16,000 rows of news20, six in reuters). Split at the start, they are solved:
// from y = 0 on, D then begins at the loss that no x can avoid.
#pragma once

#include <cstdint>
#include <vector>

#include "model/problem.h"

namespace seesaw {

// The groups of two rows or more with the same features, by a hash of 64 bits: rows that are not equal may meet in a
// group once in a blue moon, which costs a poor start and nothing else. Costs a look at every entry.
std::vector<std::vector<std::uint32_t>> equal_rows(const Rows& rows);

// Splits Y anew in each group; D does not fall, v stays what it is.
void split_equal_rows(const Problem& problem, const std::vector<std::vector<std::uint32_t>>& groups,
                      std::vector<double>& y);

}  // namespace seesaw
