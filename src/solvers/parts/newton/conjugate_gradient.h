// Preconditioned conjugate gradients for H p = -g, from p = 0, until |H p + g| <= tolerance. p is a descent direction
// after every step: g.p < 0. A stop request ends it at the current p.
#pragma once

#include <Eigen/Core>
#include <cmath>

#include "base/stop.h"

namespace seesaw {

struct ConjugateGradientResult {
  int steps;
  bool converged;
};

// apply(p, result): result = H p. precondition(r, result): result = M^-1 r. H and M are positive definite.
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
    const double curvature = s.dot(hs);
    if (!(curvature > 0) || !(rm > 0)) break;  // limited by floating-point accuracy
    const double length = rm / curvature;
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
