// The stochastic primal-dual family: both points move by proximal steps, one row (or a batch S of rows) at a time.
//
//     s = sum_i c_i y_i a_i        S: the drawn rows
//     w_i: weight, c_i/p_i for single rows drawn with probability p_i
//
//     extrapolating the primal point (SPDC):                 extrapolating the dual point (SPDHG):
//     y_i' = dual step at a_i.xbar, i in S                   x    = prox_tau(x - tau (s + e))
//     x'   = prox_tau(x - tau (s + sum_S w_i dy_i a_i))      y_i' = dual step at a_i.x
//     s   += sum_S c_i dy_i a_i                              s   += c_i dy_i a_i
//     xbar = x' + theta (x' - x)                             e    = theta w_i dy_i a_i
//
// The dual step is Euclidean or dual-free (Bregman distance of phi_i*):
//
//     Euclidean   y'   = argmax_y y z - phi_i*(y) - (y - y_i)^2/(2 sigma_i)
//     dual-free   u_i' = (u_i + sigma_i z)/(1 + sigma_i),  y' = phi_i'(u_i')
//
// Steps and probabilities are computed by a StepRule. Updates of x are deferred (parts/primal/lazy_primal.h):
// O(nnz(a_i)) per step. Block losses have K outputs: y_i and z are blocks, A_i = a_i x I_K.
#pragma once

#include <cstdint>
#include <memory>

#include "model/problem.h"
#include "solvers/parts/dual/dual_rows.h"
#include "solvers/parts/steps/step_rule.h"
#include "solvers/solver.h"

namespace seesaw {

enum class Extrapolate { primal, dual };
enum class BatchNorm { largest, mean };  // tau and theta of a batch of rows with different ones

struct PrimalDualSpec {
  std::unique_ptr<StepRule> rule;
  Extrapolate extrapolate = Extrapolate::primal;
  DualStep dual_step = DualStep::euclidean;
  std::size_t batch = 1;
  BatchNorm batch_norm = BatchNorm::largest;
};

std::unique_ptr<Solver> make_primal_dual(const Problem& problem, PrimalDualSpec spec, const Start& start);

}  // namespace seesaw
