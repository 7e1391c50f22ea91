// Preconditioned conjugate gradients for H p = -g, from p = 0, until |H p + g| <= tolerance. It never leaves the
// directions in which P falls: g.p < 0 after every step. A stop ends it where it is.
#pragma once

#include <Eigen/Core>
#include <cmath>

#include "base/stop.h"

namespace seesaw {

struct ConjugateGradientResult {
  int steps;
  bool arrived;
};

// apply(p, result): result = H p. precondition(r, result): result = M^-1 r, M near H, both positive definite.
template <class Apply, class Precondition>
ConjugateGradientResult conjugate_gradient(const Eigen::VectorXd& g, double tolerance, int most, const Apply& apply,
                                           const Precondition& precondition, Eigen::VectorXd& p) {
  Eigen::VectorXd r = -g, m, s, hs;
  p.setZero(g.size());
  precondition(r, m);
  s = m;
  double rm = r.dot(m);
  int step = 0;
  while (step < most && r.norm() > tolerance && !stop_requested()) {
    apply(s, hs);
    ++step;
    const double bend = s.dot(hs);
    if (!(bend > 0) || !(rm > 0)) break;  // rounding has the last word
    const double length = rm / bend;
    p += length * s;
    r -= length * hs;
    precondition(r, m);
    const double before = rm;
    rm = r.dot(m);
    s = m + (rm / before) * s;
  }
  return {step, r.norm() <= tolerance};
}

}  // namespace seesaw
