// One row and one column at a time, O(1) per step, with variance reduction by the gradients of a snapshot (xt, yt):
//
//     z_i = a_i.xt,  s_j = sum_i c_i yt_i a_ij       once per period of T steps, (x, y) = (xt, yt)
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
// The step length eta is limited by two kinds of feedback:
//
//   once    a change of x_j returns through y_i multiplied by
//           tau_j sigma_i k_i m_j a_ij^2 = eta^2 c_i a_ij^2/(n d^2 P(i,j)^2);       E: the maximum over i, j, over eta^2
//   noise   in the distance sum_j dx_j^2/(tau_j q_j) + sum_i c_i dy_i^2/(sigma_i p_i), which steps without noise
//           decrease, dy_i = y_i - yt_i adds through the columns of row i the fraction
//           (eta^2/(n d^2)) sum_j c_i a_ij^2/P(i,j) of its own term, dx_j the same with a sum over i;
//                                                                                   F: the maximum, over eta^2
//
//     eta = step/sqrt(E + T F)
//
// bounds both, for any scale of the data and any T. Measured (docs/solvers/single_entry.md): runs converge up to a step
// of 2 to 8, fastest at about half of that. Adaptive probabilities use E and F of uniform ones.
//
// Probabilities may change from period to period: the fraction delta increases with the passes, and gradient maps are those
// of the snapshot. Rows and columns may be drawn from pools (entry_draws.h).
//
// Without variance reduction there are no snapshots: xt, yt, s and z are 0 in the steps above, and eta decreases like 1/t,
//
//     eta_t = eta/(1 + r t/2),   r = (eta/d) sqrt(lambda gamma/n)
//
// r being the rate of a step without noise. The error then decreases like 1/t.
//
// The free intercept is one more column with the entry t and the penalty (lambda/2)(x - center)^2; the center moves with
// each snapshot.
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
  double delta_start = 0.2, ramp = 0;  // delta increases from delta_start over `ramp` passes; 0: not
  double kappa = 0.5;                  // exponent of gradient maps
  bool pools = false;
  bool variance_reduction = true;
  std::uint64_t seed = 1;
};

std::unique_ptr<Solver> make_single_entry(const Problem& problem, const SingleEntrySpec& spec, const Start& start);

}  // namespace seesaw
