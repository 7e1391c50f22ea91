// The properties of a problem that `auto` uses, computed in one pass over the rows (without lambda: in none).
#pragma once

#include "model/problem.h"
#include "solvers/parts/newton/second_order_cost.h"

namespace seesaw {

enum class LossShape {
  nonsmooth,
  quadratic,
  logistic,
  softmax,
  multiclass_hinge
};  // quadratic: piecewise quadratic and smooth

struct Workload {
  LossShape loss;
  Shape shape;
  double outputs;    // scores per row
  double condition;  // s = mean |a_i|^2 / (lambda n gamma), gamma = 1 for nonsmooth and logistic losses: the number of
                     // passes of SDCA grows with s
  bool lambda, l1;   // whether lambda > 0, l1 > 0
  double disk_bytes = 0;  // of the entries, if they are on disk
  bool squared = false;   // the squared loss: one Newton step, no bounds of y
};

Workload workload_of(const Problem& problem);

}  // namespace seesaw
