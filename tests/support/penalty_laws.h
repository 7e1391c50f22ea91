// Laws of a penalty of one coordinate, for properties of rapidcheck. The functions of g: model/penalty/penalty.h.
#pragma once

#include <rapidcheck.h>

#include <cmath>

namespace seesaw::test {

inline rc::Gen<double> in_range(double lo, double hi) {
  return rc::gen::map(rc::gen::inRange(0, 1 << 20), [=](int k) { return lo + (hi - lo) * k / double(1 << 20); });
}

// prox(u, tau) minimizes g(x) + (x - u)^2 / (2 tau).
template <class Shape>
void require_prox_minimizes(const Shape& g, double u, double tau) {
  const auto objective = [&](double x) { return g.value(x) + (x - u) * (x - u) / (2 * tau); };
  const double best = g.prox(u, tau);
  for (double move : {-1.0, -0.1, -1e-3, 1e-3, 0.1, 1.0}) RC_ASSERT(objective(best + move) >= objective(best) - 1e-13);
  RC_ASSERT(objective(0) >= objective(best) - 1e-13);
}

// fenchel_gap(x, v) = g(x) + g*(v) - x v >= 0.
template <class Shape>
void require_fenchel_gap(const Shape& g, double x, double v) {
  const double direct = g.value(x) + g.conjugate(v) - x * v, split = g.fenchel_gap(x, v);
  RC_ASSERT(std::isinf(direct) == std::isinf(split));
  if (std::isinf(direct)) return;
  RC_ASSERT(std::abs(direct - split) <= 1e-11 * (1 + g.value(x) + g.conjugate(v)));
  RC_ASSERT(split >= -1e-13);
}

}  // namespace seesaw::test
