// Costs of the three basic operations of second-order and coordinate methods, in nanoseconds of one thread. These
// defaults are built in, so that the method selected by `auto` does not depend on the machine; with --costs measured
// `run` measures them once and stores them (run/machine_costs.h).
#pragma once

namespace seesaw {

struct Costs {
  double product = 1.2;         // per entry of A, for A x and A^T y together, with x and y in the cache
  double pair = 0.55;           // per pair of entries of a sparse row, added to a Hessian
  double multiply_add = 0.045;  // in products of dense matrices and Cholesky factorizations
};

}  // namespace seesaw
