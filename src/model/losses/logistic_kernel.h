// The logistic loss phi(m) = log(1 + exp(-m)) of the margin m = b z, with its derivatives:
//
//     e = exp(-|m|)     phi = max(-m, 0) + log(1 + e)     p = -phi' = (m >= 0 ? e : 1)/(1 + e)     phi'' = e/(1 + e)^2
//
// Without branches and calls, so that loops over rows are vectorized; after inlining only the parts that are used are
// computed. Accurate to a few units in the last place.
#pragma once

#include <algorithm>
#include <cmath>

#include "base/elementary.h"

namespace seesaw {

[[gnu::always_inline]] inline double logistic_value(double m, double e) {
  return std::max(-m, 0.0) + log_of_one_and(e);
}

struct LogisticTerms {
  double value, p, curvature;
};
[[gnu::always_inline]] inline LogisticTerms logistic_terms(double m) {
  const double e = exp_of_negative(-std::abs(m));
  const double inverse = 1 / (1 + e);
  const double smaller = e * inverse;
  return {logistic_value(m, e), m >= 0 ? smaller : inverse, smaller * inverse};
}

// 1/(1 + exp(-t)), correctly underflowing to 0.
inline double logistic_sigmoid(double t) {
  const double e = exp_of(-std::abs(t));
  return t >= 0 ? 1 / (1 + e) : e / (1 + e);
}

}  // namespace seesaw
