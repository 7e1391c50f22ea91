// The data of one row that a dual step uses, half a cache line.
#pragma once

namespace seesaw {

struct DualRow {
  double y;
  double b;
  double q;              // of the dual step: c_i (|a_i|^2 / lambda + 1/kappa_b)
  double scaled_weight;  // c_i / lambda
};

}  // namespace seesaw
