// Kinked losses for methods that need smooth ones: phi_g* = phi* + (g/2)|y|^2 is solved instead. The gap that checks
// report is that of the loss as it was posed,
//
//     true gap = smoothed gap + error,     error = sum_i c_i (phi_i - phi_g,i)(z_i) - (g/2) sum_i c_i |y_i|^2 <= g
//     max|y|^2/2
//
// and when smoothing is half of it, g is halved; the points stay. The error is mostly far below its bound, so that g
// begins at 100 times the gap that is wanted.
#pragma once

#include "solvers/solver.h"

namespace seesaw {

class Smoothing {
 public:
  double g() const { return g_; }

  void begin(double primal) { g_ = 1e-2 * primal; }  // as for a relative gap of 1e-4

  // Before the first step; true where g has changed.
  bool aim(double target) {
    if (target > 0) g_ = 100 * target;
    return target > 0;
  }
  // After a check; true where g has changed.
  bool hear(const Checked& checked, double error) {
    if (!(error > 0.5 * checked.gap)) return false;
    g_ /= 2;
    return true;
  }

 private:
  double g_ = 0;
};

}  // namespace seesaw
