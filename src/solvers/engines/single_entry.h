// One row and one column at a time, each step O(1), with the gradients of a snapshot (xt, yt) to take the noise out:
//
//     z_i = a_i.xt,  s_j = sum_i c_i yt_i a_ij       once a period of T steps, (x, y) = (xt, yt)
//
//     a step draws i, j, and i' for column j, j' for row i (parts/sampling/entry_draws.h):
//     xbar = prox_j(x_j - tau_j (s_j + a_i'j k_i' (y_i' - yt_i')))        k_i' = c_i'/P(i'|j)
//     ybar = dual step of y_i at z_i + a_ij' m_j' (x_j' - xt_j')          m_j' = 1/P(j'|i)
//     x_j  = prox_j(x_j - tau_j (s_j + a_ij k_i (ybar - yt_i)))           both from the old x_j, y_i
//     y_i  = dual step of y_i at z_i + a_ij m_j (xbar - xt_j)
//
// prox_j is that of tau_j g_j, the dual step argmax_y y z - phi_i*(y) - (y - y_i)^2/(2 sigma_i). With p_i, q_j the
// probabilities of row and column, n rows and d columns that have entries,
//
//     tau_j = tau/(d q_j)     sigma_i = sigma/(n d p_i)     tau = eta sqrt(gamma/(n lambda))     sigma = eta^2/tau
//
// How long steps may be depends on what they feed back to themselves. One entry returns tau_j sigma_i k_i m_j a_ij^2 =
// eta^2 c_i a_ij^2/(n d^2 P(i,j)^2) of a change of x_j through y_i; let E be the largest of these over eta^2. And dy_i
// = y_i - yt_i makes noise in the columns of row i: measured by sum_j dx_j^2/(tau_j q_j) + sum_i c_i dy_i^2/(sigma_i
// p_i), the distance that a step without noise brings down, a step adds (eta^2/(n d^2)) sum_j c_i a_ij^2/P(i,j) of
// dy_i's own part; dx_j the same with a sum over i. Let F be the largest of these over eta^2. Then
//
//     eta = step/sqrt(E + T F)
//
// keeps both in hand, whatever the scale of the data and T. Measured (docs/solvers/single_entry.md): runs converge up
// to a step of 2 to 8, best at about half of that. Adaptive probabilities take the E and F of uniform ones.
//
// The free intercept is one more column with the entry t and the penalty (lambda/2)(x - center)^2; the centre moves
// with each snapshot.
#pragma once

#include <cstdint>
#include <memory>

#include "model/problem.h"
#include "solvers/parts/sampling/entry_probabilities.h"
#include "solvers/solver.h"

namespace seesaw {

struct SingleEntrySpec {
  EntrySampling sampling = EntrySampling::nonzeros;
  double step = 1;
  double epoch_length = 0.25;  // T, in entries of the data
  double delta = 0.8;
  std::uint64_t seed = 1;
};

std::unique_ptr<Solver> make_single_entry(const Problem& problem, const SingleEntrySpec& spec, const Start& start);

}  // namespace seesaw
