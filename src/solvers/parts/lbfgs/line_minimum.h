// The minimum of a convex function f along a line, f'(0) < 0: the zero of f', by Newton steps in a bracket, which is
// halved where they reduce |f'| by less than half.
#pragma once

#include <cmath>

#include "base/scalar.h"
#include "base/stop.h"
#include "solvers/parts/newton/loss_curve.h"

namespace seesaw {

struct LineMinimum {
  double t = 0;  // 0: f cannot be decreased, up to rounding
  LossCurve::At at = {};
  int evaluations = 0;
};

// `start`: f and f' at 0; evaluate(t): f, f' and f'' at t, the last call is at the t returned. Ends where
// |f'(t)| <= flat |f'(0)| and f has decreased; at most 61 evaluations.
template <class Evaluate>
LineMinimum minimize_on_line(const LossCurve::At& start, double first, double flat, const Evaluate& evaluate) {
  LineMinimum result;
  double lo = 0, hi = infinity, t = first, previous = infinity;  // |f'| at the trial before
  while (result.evaluations < 60 && !stop_requested()) {
    const LossCurve::At at = evaluate(t);
    ++result.evaluations;
    const bool lower = at.value <= start.value + 1e-4 * t * start.derivative + 1e-14 * std::abs(start.value);
    if (lower && std::abs(at.derivative) <= -flat * start.derivative) {
      result.t = t;
      result.at = at;
      return result;
    }
    (at.derivative > 0 || !std::isfinite(at.value) ? hi : lo) = t;
    double next = t - at.derivative / at.curvature;
    const bool slow = std::abs(at.derivative) > 0.5 * previous && std::isfinite(hi);
    if (slow || !(lo < next && next < hi && next <= 10 * t)) next = std::isinf(hi) ? 10 * t : 0.5 * (lo + hi);
    previous = std::abs(at.derivative);
    if (!(next > lo && next < hi)) break;  // no number in between
    t = next;
  }
  result.t = lo;  // limited by floating-point accuracy: f does not increase up to here
  result.at = evaluate(lo);
  ++result.evaluations;
  return result;
}

}  // namespace seesaw
