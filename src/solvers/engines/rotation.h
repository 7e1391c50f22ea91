// Few rows with many features: the minimizer of P is in the span of the n rows, which has at most n dimensions. With
//
//     A A^T = L L^T  (n x n, Cholesky),     x = A^T L^-T u
//
// a_i.x = l_i.u, with l_i the i-th row of L, and |x| = |u|: the rows l_i with the same labels, weights and intercept have
// the same P(u, b), the same D(y) and the same y. The n x n problem is solved by an inner method and its solution is
// mapped back. x is computed from u, not as grad g*(v) from y: for small lambda the rounding error of y would be divided
// by lambda.
//
// The diagonal of A A^T is increased by 1e-14 of its mean, so that a factor exists with repeated and empty rows. The
// certificate is that of the original data. If it does not confirm the gap of the inner method, the inner target is
// multiplied by 0.3 and the inner method continues.
//
// Costs sum_j (entries of column j)^2 / 2, or n^2 d / 2 for dense data, and n^3 / 6; then the cost of the inner method on
// n dense rows of n, and O(nnz) per check. l2 only, scalar losses.
#pragma once

#include <functional>
#include <memory>

#include "model/problem.h"
#include "solvers/solver.h"

namespace seesaw {

// Makes the method that solves the n x n problem.
using MakeInner = std::function<std::unique_ptr<Solver>(const Problem&, const Start&)>;

std::unique_ptr<Solver> make_rotation(const Problem& problem, const MakeInner& make_inner, const Start& start);

}  // namespace seesaw
