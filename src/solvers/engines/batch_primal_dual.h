// The primal-dual method with all rows in each iteration: BPD, which is PDHG.
//
//     y_i' = dual step at a_i.xbar + bbar, for all i
//     x'   = prox_tau(x - tau sum_i c_i y_i' a_i)
//     xbar = x' + theta (x' - x)
//
// The dual step is Euclidean or dual-free (Bregman distance of phi_i*):
//
//     Euclidean   y'   = argmax_y y z - phi_i*(y) - (y - y_i)^2/(2 sigma)       valid: tau sigma |C^(1/2) A|^2 <= 1
//     dual-free   u_i' = (u_i + sigma z)/(1 + sigma),  y' = phi_i'(u_i')        valid: tau sigma |C^(1/2) A|^2 <= gamma
//
// One iteration is one pass: a product by A and one by A^T. Scalar losses.
#pragma once

#include <memory>

#include "model/problem.h"
#include "solvers/parts/dual/dual_rows.h"
#include "solvers/parts/steps/step_rule.h"
#include "solvers/solver.h"

namespace seesaw {

struct BatchSteps {
  double tau, sigma, theta;
};

class BatchStepRule {
 public:
  explicit BatchStepRule(const Problem& problem) : facts(problem) {}
  virtual ~BatchStepRule() = default;

  virtual BatchSteps steps(double gamma) = 0;  // for a loss whose conjugate is gamma-strongly convex

  virtual void begin(Solver& /*method*/) {}  // at its start

  // After an iteration of the method, whose scores are z = A x + b: true if steps() has changed.
  virtual bool end_iteration(Solver& /*method*/, double /*gamma*/, const std::vector<double>& /*z*/) { return false; }

  const RowFacts facts;
};

struct BatchPrimalDualSpec {
  std::unique_ptr<BatchStepRule> rule;
  DualStep dual_step = DualStep::euclidean;
};

std::unique_ptr<Solver> make_batch_primal_dual(const Problem& problem, BatchPrimalDualSpec spec, const Start& start);

}  // namespace seesaw
