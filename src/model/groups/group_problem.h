// The problem whose losses are functions of groups of rows (model/groups/group_losses.h):
//
//     P(x, b) = sum_g c_g phi_g(A_g x + b) + g(x)     D(y) = -sum_g c_g phi_g*(y_g) - g*(-sum_g c_g A_g^T y_g)
//
// A_g: the rows of group g, m groups; c_g = w_g/W with the weight w_g of the group, the same for all its rows (1/m without
// weights), W = sum_g w_g; g(x) = (lambda/2)|x|^2 + l1 |x|_1 with lambda > 0. A free intercept b needs sum_g c_g 1.y_g = 0.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "data/readers/row_groups.h"
#include "model/problem.h"

namespace seesaw {

struct GroupProblem {
  // Data, targets, penalty and intercept. Its form has the loss of a group of one row; kind and total_weight (W) are those
  // of the groups, so that it is described and stored as what it is.
  Problem rows;
  std::vector<std::size_t> first = {};  // group g has the rows row[first[g]] .. row[first[g + 1] - 1], ascending
  std::vector<std::uint32_t> row = {};

  std::size_t count() const { return first.size() - 1; }
  bool hinge() const { return rows.kind->target == Target::sign; }
  std::span<const std::uint32_t> rows_of(std::size_t g) const {
    return {row.data() + first[g], first[g + 1] - first[g]};
  }
  double weight(std::size_t g) const { return rows.data->weights.empty() ? 1 : rows.data->weights[row[first[g]]]; }
};

// lambda is 1/(C W) for C, and 1/W by default. Throws Error for what a loss of groups does not support. The data must
// outlive the problem.
GroupProblem make_group_problem(const Dataset& data, const RowGroups& groups, Objective objective);

}  // namespace seesaw
