// A penalty that Seesaw does not have: ridge regression whose result does not depend on the units of the features,
//
//     g(x) = (lambda/2) sum_j f_j x_j^2        f_j = (1/n) sum_i a_ij^2
#pragma once

#include <variant>
#include <vector>

#include "model/penalty/penalty_kinds.h"

namespace extension {

inline void use_mean_squares(const seesaw::Dataset& data, std::size_t features, seesaw::Objective& objective) {
  objective.penalty_factors.assign(features, 0);
  std::visit(
      [&](const auto& rows) {
        for (std::size_t i = 0; i < rows.count(); ++i)
          for_each(rows.row(i), [&](std::size_t j, double value) {
            if (j < features) objective.penalty_factors[j] += value * value / static_cast<double>(rows.count());
          });
      },
      data.rows);
}

inline seesaw::PenaltyKind column_ridge() {
  return {.name = "column-ridge", .l2 = true, .set_features = use_mean_squares};
}

}  // namespace extension
