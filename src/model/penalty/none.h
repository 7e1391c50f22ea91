// none:   g(x) = 0        g*(v) = 0 if v = 0, else infinity
#pragma once

#include "base/scalar.h"

namespace seesaw {

struct None {
  double value(double) const { return 0; }
  double conjugate(double v) const { return v == 0 ? 0 : infinity; }
  double prox(double u, double) const { return u; }
  double strong_convexity() const { return 0; }
  double dual_bound() const { return 0; }

  double fenchel_gap(double, double v) const { return v == 0 ? 0 : infinity; }
};

}  // namespace seesaw
