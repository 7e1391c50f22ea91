// Few rows with many features: n rows span at most n of the d dimensions, and the minimizer of P lies in their span.
// With
//
//     A A^T = L L^T  (n x n, Cholesky),     x = A^T L^-T u
//
// a_i.x = l_i.u, l_i the i-th row of L, and |x| = |u|: the rows l_i with the same labels, shares and intercept have the
// same P(u, b), the same D(y) and the same y. So the n x n problem is solved by another method, and only its answer is
// mapped back. x is that of u, not grad g*(v) of y: at small lambda the rounding of y, divided by lambda, would be in
// it.
//
// A A^T is lifted by 1e-14 of its mean diagonal, so that repeated and empty rows have a factor too. The certificate is
// of the data as posed; where it misses what the method inside believes, that must be more exact by 0.3 and goes on.
//
// Costs sum_j (entries of column j)^2 / 2, or n^2 d / 2 for dense data, and n^3 / 6; then what the method inside costs
// on n dense rows of n, and O(nnz) a check. l2 alone, losses of one score.
#pragma once

#include <functional>
#include <memory>

#include "model/problem.h"
#include "solvers/solver.h"

namespace seesaw {

// Makes the method that solves the n x n problem.
using MakeInside = std::function<std::unique_ptr<Solver>(const Problem&, const Start&)>;

std::unique_ptr<Solver> make_rotation(const Problem& problem, const MakeInside& inside, const Start& start);

}  // namespace seesaw
