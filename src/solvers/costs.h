// What the machine takes for the three things that second-order and coordinate methods spend their time on, in
// nanoseconds of one thread. These are built in, so that the method selected by `auto` does not depend on the machine;
// with --costs measured `run` measures them once and keeps them (run/machine_costs.h).
#pragma once

namespace seesaw {

struct Costs {
  double product = 1.2;         // an entry of A in A x and A^T y together, x and y in the cache
  double pair = 0.55;           // a pair of entries of a sparse row, added to a Hessian
  double multiply_add = 0.045;  // of dense matrices: blocks of rows added to a Hessian, Cholesky
};

}  // namespace seesaw
