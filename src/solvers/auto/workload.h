// What can be known of a problem before solving it, at the price of one look at the rows.
#pragma once

#include "model/problem.h"

namespace seesaw {

enum class LossShape { kinked, quadratic, logistic, softmax, multiclass_hinge };  // quadratic: in pieces, but smooth

struct Workload {
  LossShape loss;
  double n, d, outputs;
  double entries;    // of A that are stored
  double pairs;      // sum_i r_i^2/2, r_i the entries of row i
  double stiffness;  // s = mean |a_i|^2 / (lambda n gamma), gamma = 1 for kinked and logistic: what SDCA's passes grow
                     // with
  bool lambda, l1;   // whether there are such terms

  double row_entries() const { return n > 0 ? entries / n : 0; }
  double density() const { return n > 0 && d > 0 ? entries / (n * d) : 0; }
};

Workload workload_of(const Problem& problem);

}  // namespace seesaw
