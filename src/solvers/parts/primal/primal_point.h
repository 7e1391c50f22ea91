// x and the free intercept of a primal gradient method, with the gradient s = sum_i c_i y_i a_i. The intercept is one
// more coordinate without a penalty: with the entry t in every row, b = t x_b (free_intercept.h), which makes it
// invariant to the scale of the features.
#pragma once

#include <vector>

#include "solvers/parts/primal/bias_coordinate.h"
#include "solvers/parts/primal/lazy_primal.h"

namespace seesaw {

template <bool has_l1>
class PrimalPoint {
 public:
  PrimalPoint(const Problem& problem, double bias_entry)
      : x_(problem.d(), {}, problem.penalty), bias_(bias_entry, 0, 1) {}

  template <class Row>
  double score(Row a) {  // a.x + b
    double z;
    x_.score(a, 0, &z);
    if (bias_.present()) bias_.score(0, &z);
    return z;
  }

  // s += ds a, x += dx a, then x <- prox_eta(x - eta s). The row must have been scored since the last step.
  template <class Row>
  void step(Row a, double ds, double dx, double eta) {
    x_.add_and_step(a, ds, dx, eta);
    if (bias_.present()) {
      bias_.add(&ds, &dx);
      bias_.step(eta);
    }
  }
  void step(double eta) {  // the same with ds = dx = 0
    x_.step(eta);
    if (bias_.present()) bias_.step(eta);
  }

  void settle() { x_.settle(); }  // brings all coordinates up to date and clears the history of steps; O(d)

  void set(const std::vector<double>& x, const std::vector<double>& intercept, const std::vector<double>& s,
           const std::vector<double>& sums) {
    x_.set(x, s);
    if (bias_.present()) bias_.set(intercept, sums);
  }
  void set_sum(const std::vector<double>& s, const std::vector<double>& sums) {
    x_.set_sum(s);
    if (bias_.present()) bias_.set_sum(sums);
  }
  void read(std::vector<double>& x, std::vector<double>& intercept) {
    x_.read(x);
    intercept.assign(1, 0.0);
    if (bias_.present()) bias_.read(intercept);
  }

 private:
  LazyPrimal<has_l1, false, OneOutput> x_;
  BiasCoordinate bias_;
};

}  // namespace seesaw
