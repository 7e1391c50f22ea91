// Costs of the parts of a second-order step, in nanoseconds of one thread, from the shape of the data and the costs of
// the machine.
#pragma once

#include <algorithm>

#include "data/rows.h"
#include "solvers/costs.h"

namespace seesaw {

struct Shape {
  double n = 0, d = 0, nnz = 0;
  double pairs = 0;  // sum_i r_i^2/2, r_i the entries of row i
  double entries_per_row() const { return nnz / std::max(n, 1.0); }
  double density() const { return entries_per_row() / std::max(d, 1.0); }
};

inline Shape shape_of(const Rows& rows) {  // of all processes
  Shape shape;
  std::visit(
      [&](const auto& a) {
        shape.n = static_cast<double>(all_rows(a));
        shape.d = static_cast<double>(a.width());
        shape.nnz = static_cast<double>(all_entries(a));
        std::size_t squares = 0;
        for (std::size_t i = 0; i < a.count(); ++i) squares += a.entries(i) * a.entries(i);
        shape.pairs = 0.5 * static_cast<double>(sum_of_ranks(*a.leaves(), squares));
      },
      rows);
  return shape;
}

struct SecondOrderCost {
  explicit SecondOrderCost(const Shape& shape, const Costs& costs = {})
      : product((shape.d <= 4000 ? 1 : 1.9) * costs.product * shape.nnz),  // a large x does not fit into the cache
        assembly(std::min(costs.pair * shape.pairs, costs.multiply_add / 2 * shape.n * shape.d * shape.d) +
                 10 * shape.n),
        factorization(1.1 * costs.multiply_add / 3 * shape.d * shape.d * shape.d) {}
  explicit SecondOrderCost(const Rows& rows) : SecondOrderCost(shape_of(rows)) {}

  double product;        // H p, each row read once
  double assembly;       // H as a matrix
  double factorization;  // its Cholesky factor
};

}  // namespace seesaw
