// What can be known of a problem before solving it, at the price of one look at the rows.
#pragma once

#include "model/problem.h"
#include "solvers/parts/newton/second_order_cost.h"

namespace seesaw {

enum class LossShape { nonsmooth, quadratic, logistic, softmax, multiclass_hinge };  // quadratic: in pieces, but smooth

struct Workload {
  LossShape loss;
  Shape shape;
  double outputs;  // scores a row
  double
      stiffness;  // s = mean |a_i|^2 / (lambda n gamma), gamma = 1 for nonsmooth and logistic: what SDCA's passes grow
                  // with
  bool lambda, l1;  // whether there are such terms
};

Workload workload_of(const Problem& problem);

}  // namespace seesaw
