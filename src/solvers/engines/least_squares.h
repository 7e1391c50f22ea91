// The squared loss with l1, l2 or both and few features, by its second moments M: one read of the rows, after which every
// step costs O(d^2), and the factorization of ridge regression O(d^3).
//
//     H = A^T C A / k,  v = -A^T C y = -(A^T C (A x + b - t))/k      from M; the free intercept is eliminated
//     l1 = 0:    x <- x + (H + l2 I)^-1 (v - l2 x)
//     l1 > 0:    x <- argmin_u -v.(u - x) + 1/2 (u - x)^T H (u - x) + g(u)        (parts/l1/l1_quadratic.h)
//
// P, D and the gap follow from M with every rounding error bounded (model/rigorous/gram_certificate.h): the method proves
// its own point, and a fit reads the rows once more, for y = (A x + b - t)/k. Where the errors of M do not allow the
// tolerance, v and the gap are computed from the rows, and H remains: iterative refinement. Where that does not halve the
// gap, because columns are nearly dependent or far from 0, a method that computes everything from the rows takes over, from
// its own start.
//
// State      x_: the point;  at_: what is known of it, b, v, |r|_c^2, the gap;  by_rows_: at_ is computed from the rows;
//            next_: the method that has taken over
// Step       epoch() = some minimizations, each more accurate, until the gap is below the tolerance
#pragma once

#include <functional>
#include <memory>

#include "model/problem.h"
#include "solvers/solver.h"

namespace seesaw {

// Makes the method that takes over. It follows penalties.
using MethodOfRows = std::function<std::unique_ptr<Solver>()>;

// Null where it does not apply: another loss, other penalties, a Gram matrix that costs more than some products by A;
// or where numbers are out of range.
std::unique_ptr<Solver> make_least_squares(const Problem& problem, const Start& start, MethodOfRows method_of_rows);

}  // namespace seesaw
