// The doubly stochastic primal-dual method (DSPDC): a step draws one row i and one column j, moves y_i and x_j, and
// costs O(nnz(a_i) + nnz(A^j)). Over the m rows and k columns that are not empty,
//
//     y_i' = dual step of 1/sigma_i at a_i.xbar        sigma_i = sigma/(m p_i)    p_i, q_j: the probabilities of i, j
//     x_j' = prox_tau_j(x_j - tau_j (s_j + (c_i/p_i) dy a_ij))                    tau_j = tau/(k q_j)
//     xbar = x' + theta dx e_j                         (plain; unbiased, as in the proof: theta dx/q_j)
//
// with s_j = sum_i c_i y_i a_ij before the step, and, with a = max sqrt(m c_i)|a_ij| and a factor f for both steps,
//
//     tau = f sqrt(gamma/(m lambda))/(2a)     sigma = f sqrt(m lambda/gamma)/(2 k a)     f = 1: tau sigma = 1/(4 k a^2)
//     theta = 1 - 1/max(m + m/(2 sigma gamma), k + k/(2 tau lambda))
//
// a_i.xbar and s_j are recomputed in each step: this reads as many entries as updating A x and s would, and accumulates
// no rounding errors. With adaptive probabilities, steps are clipped to sigma m p_i and tau k q_j (as those of SPDC-AIS
// to p_i/(4 tau c_i |a_i|^2)), so that a row drawn with a small probability does not move far.
//
// The free intercept is a coordinate x_b with the entry t in every row, b = t x_b, and a proximal center that moves with
// each pass (parts/primal/bias_coordinate.h). Its sum t sum_i c_i y_i is one number, so it moves in every step: drawn
// with q_b = 1, tau_b = tau/k, which is the mean move of a column. (As one more drawn column it would increase a to t,
// sqrt(k/3) times larger, and shorten all steps accordingly.) Since it is not random, SPDC's condition
// tau_b sigma' t^2 <= 1/4 suffices, with sigma' = sigma/(1 + sigma gamma) the maximal dual step. The condition is active
// with few columns, or with a large lambda and therefore a large t.
#pragma once

#include <memory>

#include "model/problem.h"
#include "solvers/parts/steps/column_facts.h"
#include "solvers/parts/steps/step_rule.h"
#include "solvers/solver.h"

namespace seesaw {

enum class ColumnExtrapolation { plain, unbiased };

struct DoublyStochasticSpec {
  RowFacts row_facts;
  ColumnFacts column_facts;
  std::unique_ptr<Sampler> rows, columns;  // over the drawable ones
  double factor = 1;                       // f
  ColumnExtrapolation extrapolation = ColumnExtrapolation::plain;
  bool clip = false;
};

// The number of steps that read about as many entries as two passes over A: the harmonic mean of m and k.
std::size_t steps_per_pass(const RowFacts& rows, const ColumnFacts& columns);

std::unique_ptr<Solver> make_doubly_stochastic(const Problem& problem, DoublyStochasticSpec spec, const Start& start);

}  // namespace seesaw
