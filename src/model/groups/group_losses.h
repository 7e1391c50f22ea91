// Losses of a group of rows: convex functions of all its scores z_g.
//
//   group-norm        phi(z_g) = |z_g - b_g|_2                   phi*(y_g) = <b_g, y_g>,  |y_g|_2 <= 1
//   group-max-hinge   phi(z_g) = max(0, max_i 1 - b_i z_i)       phi*(y_g) = -sum_i p_i,  p_i = -b_i y_i >= 0,  sum_i p_i <= 1
//
// A group of one row has the absolute loss, or the hinge loss. For both, phi*(y_g) is the sum of the conjugates of these
// losses of the rows, on a smaller domain.
#pragma once

#include <string_view>
#include <vector>

#include "model/losses/loss.h"

namespace seesaw {

// `make` is the loss of a group of one row; the parameter is the number of groups.
const std::vector<LossKind>& group_loss_kinds();
const LossKind* group_loss_kind(std::string_view name);  // nullptr: no loss of groups
std::string_view row_loss(const LossKind& of_groups);    // the name of the loss of a group of one row

}  // namespace seesaw
