// What a dual step needs of its row, on one cache line.
#pragma once

namespace seesaw {

struct DualRow {
  double y;
  double b;
  double q;     // of the dual step: c_i (|a_i|^2 / lambda + 1/kb)
  double kick;  // c_i / lambda
};

}  // namespace seesaw
