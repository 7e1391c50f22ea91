// Penalties by name. Each is made of the parts that Penalty has: the two coefficients, and factors and bounds per
// feature, which a penalty added from outside may compute from the rows.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "data/dataset.h"
#include "model/objective.h"

namespace seesaw {

struct PenaltyKind {
  std::string_view name;
  bool l2 = false, l1 = false;  // the coefficients it has
  // Sets penalty_factors, lower or upper of the objective, `features` numbers each. `data`: the rows as solved, after
  // scaling, with the constant feature of a penalized intercept at the end (it is not one of the `features`).
  void (*set_features)(const Dataset& data, std::size_t features, Objective& objective) = nullptr;
};

// The only list of penalties. register_penalty() adds to it, before it is first read.
const std::vector<PenaltyKind>& penalty_kinds();
void register_penalty(const PenaltyKind& kind);
const PenaltyKind& penalty_kind(std::string_view name);  // throws InvalidOption

}  // namespace seesaw
