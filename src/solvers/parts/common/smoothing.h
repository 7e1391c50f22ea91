// Nonsmooth losses for methods that need smooth ones: phi_g* = phi* + (g/2)|y|^2 is solved instead. The gap that checks
// report is that of the original loss,
//
//     true gap = smoothed gap + error,     error = sum_i c_i (phi_i - phi_g,i)(z_i) - (g/2) sum_i c_i |y_i|^2
//
// When the error at the current point exceeds half of the gap, g is halved; the points are kept. The error is usually
// far below its bound g max|y|^2/2, so g need not start below 100 times the target gap. It starts at no less than 1 % of
// P(0), since steps for a small g are slow while the points are far from the optimum.
#pragma once

#include "model/certificate.h"
#include "solvers/solver.h"

namespace seesaw {

class Smoothing {
 public:
  explicit Smoothing(const Problem& problem);  // g = 1 % of P(0)

  bool needed() const { return g_ > 0; }
  double g() const { return g_; }
  Diagnostics with(Diagnostics all) const {  // and the smoothing, if any
    if (needed()) all.values.push_back({"smoothing", g_});
    return all;
  }

  // All return true if g has changed.
  bool aim(double target_gap);                                  // before the first step
  bool on_check(const Checked& checked, const Point& current);  // after a check; costs one product A x
  bool follow(Solver& method, const Checked& checked);          // aim() before the first pass, on_check() afterwards

 private:
  double error(const Point& point) const;
  const Problem& problem_;
  double g_ = 0;
};

}  // namespace seesaw
