// The dual variables of one row of softmax or multiclass-hinge.
#pragma once

#include <cstddef>

#include "verify/sum.h"

namespace seesaw::verifier {

// The dual variables of a row of a block loss: y_k >= 0 as stored for the other classes, and y_own = -(their sum),
// exactly.
struct Block {
  Ball others;       // sum of y_k over k != own
  Ball probability;  // p_own = 1 - others
  bool inside;
};
SEESAW_INLINE Block block_of(const double* y, std::size_t K, std::size_t own) {
  Sum others;
  bool inside = true;
  for (std::size_t k = 0; k < K; ++k) {
    if (k == own) continue;
    inside = inside && y[k] >= 0 && y[k] <= 1;
    others.add(y[k]);
  }
  Sum rest = others;
  rest.add(-1.0);
  const Block block{others.value(K), -rest.value(K), inside};
  const double off = y[own] + block.others.high;
  return {block.others, block.probability, inside && not_negative(block.probability) && std::abs(off) <= 1e-9};
}

}  // namespace seesaw::verifier
