// The data of one row that a dual step uses, half a cache line, and the step.
#pragma once

#include <algorithm>
#include <type_traits>

#include "model/losses/loss.h"

namespace seesaw {

struct DualRow {
  double y;
  double b;
  double q;              // of the dual step: c_i (|a_i|^2 / lambda + 1/kappa_b)
  double scaled_weight;  // c_i / lambda
};

// exact: maximizes D over y_i. derivative: y' = phi'(z), for q = 0. The others are lower bounds of the exact step for the
// logistic loss: y' = y + (phi'(z) - y)/r with r = max(1, 1/4 + q), as printed by Shalev-Shwartz & Zhang 2013 and
// Desforges, Karpe & Roux 2018, or r = 1 + q/4, from gamma = 4.
enum class RowStep { exact, derivative, printed, quarter };

template <class LossType>
[[gnu::always_inline]] inline double dual_change(const LossType& loss, const DualRow& row, double z, RowStep step) {
  if constexpr (std::is_same_v<LossType, Logistic>)
    if (step == RowStep::printed || step == RowStep::quarter)
      return (loss.derivative(row.b, z) - row.y) /
             (step == RowStep::printed ? std::max(1.0, 0.25 + row.q) : 1 + row.q / 4);
  return loss.dual_step(row.b, z, row.y, row.q) - row.y;
}

}  // namespace seesaw
