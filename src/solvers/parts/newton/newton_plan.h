// The system by which a Newton method solves its steps, whether it starts on samples, and an estimate of its time, from
// the shape of the data and one condition estimate.
#pragma once

#include "model/problem.h"
#include "solvers/parts/newton/newton_system.h"
#include "solvers/parts/newton/second_order_cost.h"

namespace seesaw {

struct NewtonPlan {
  SystemKind system;
  bool sampled_start;
  double nanoseconds;  // of one thread, to a relative gap of 1e-6
};

struct NewtonFacts {
  Shape shape;
  double s;                // mean |a_i|^2/(lambda n)
  bool logistic;           // takes longer to evaluate
  bool quadratic = false;  // the squared loss: one step
  double steps() const;    // expected number of Newton steps
};
NewtonFacts newton_facts(const Problem& problem);  // one pass over the data

NewtonPlan plan_newton(const NewtonFacts& facts, const Costs& costs = {});

}  // namespace seesaw
