// Incremental gradient methods that store the derivative of every row in a table:
//
//     s = sum_i c_i y_i a_i                      y_i: phi_i'(a_i.x + b) when row i was last drawn, 0 before
//
//     y'  = phi_i'(a_i.x + b),  dy = y' - y_i    n: drawable rows, drawn uniformly
//     SAGA   x <- prox_eta(x - eta (s + n c_i dy a_i))     unbiased: the expectation is the gradient at x
//     SAG    x <- prox_eta(x - eta (s + c_i dy a_i))       biased, with a smaller variance
//     s   <- s + c_i dy a_i,    y_i <- y'
//
//     eta = step/L,  L = max_i n c_i |a_i|^2/gamma + lambda
//
// Updates of x are deferred (parts/primal/lazy_primal.h): O(nnz(a_i)) per step, for l2, elastic net, l1 alone and no
// penalty. The dual point is the table. The derivatives at x itself would cost a product and usually give a larger gap,
// since they contain the noise of the last steps.
#pragma once

#include <cstdint>
#include <memory>

#include "model/problem.h"
#include "solvers/parts/sampling/uniform_draws.h"
#include "solvers/solver.h"

namespace seesaw {

enum class Direction { sag, saga };

struct GradientTableSpec {
  Direction direction = Direction::saga;
  double step = 1.0 / 3;  // times 1/L
  Draw draw = Draw::iid;
  std::uint64_t seed = 1;
};

std::unique_ptr<Solver> make_gradient_table(const Problem& problem, const GradientTableSpec& spec, const Start& start);

}  // namespace seesaw
