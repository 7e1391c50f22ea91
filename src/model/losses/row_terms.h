// The terms of a loss that certificates need for every row, in a form that compiles to vector instructions: no branches,
// no calls; the common parts of value and conjugate, or of derivative and curvature, are computed once.
#pragma once

#include "base/elementary.h"
#include "model/losses/loss.h"

namespace seesaw {

struct ValueAndConjugate {
  double value;      // phi(z)
  double conjugate;  // phi*(y), infinity outside its domain
};
struct DerivativeAndCurvature {
  double derivative, curvature;  // phi'(z), phi''(z)
};

[[gnu::always_inline]] inline Interval domain_of(const PiecewiseQuadratic& loss, double b) {
  const Interval &down = loss.domains[0], &up = loss.domains[1];
  return {b > 0 ? up.lo : down.lo, b > 0 ? up.hi : down.hi};
}
[[gnu::always_inline]] inline Interval domain_of(const Logistic&, double b) {
  return {b > 0 ? -1.0 : 0.0, b > 0 ? 0.0 : 1.0};
}

[[gnu::always_inline]] inline double derivative_of(const PiecewiseQuadratic& loss, double b, double z) {
  const double t = soft_threshold(z - b, loss.insensitivity);
  const double y = domain_of(loss, b).clip(t / loss.curvature);
  return t == 0 ? 0 : y;
}

[[gnu::always_inline]] inline double value_of(const PiecewiseQuadratic& loss, double b, double z) {
  const double best = derivative_of(loss, b, z);
  return best * (z - b) - loss.insensitivity * std::abs(best) - 0.5 * loss.curvature * best * best;
}
[[gnu::always_inline]] inline double value_of(const Logistic&, double b, double z) {
  return logistic_terms(b * z).value;
}

[[gnu::always_inline]] inline ValueAndConjugate value_and_conjugate(const PiecewiseQuadratic& loss, double b, double z,
                                                                    double y) {
  const double k = loss.curvature, e = loss.insensitivity;
  const Interval domain = domain_of(loss, b);
  const double conjugate = b * y + e * std::abs(y) + 0.5 * k * y * y;
  return {value_of(loss, b, z), ((domain.lo <= y) & (y <= domain.hi)) ? conjugate : infinity};
}

[[gnu::always_inline]] inline DerivativeAndCurvature derivative_and_curvature(const PiecewiseQuadratic& loss, double b,
                                                                              double z) {
  const double t = soft_threshold(z - b, loss.insensitivity), y = t / loss.curvature;
  const Interval domain = domain_of(loss, b);
  const bool curved = (t != 0) & (domain.lo < y) & (y < domain.hi) & (loss.curvature > 0);
  return {t == 0 ? 0 : domain.clip(y), curved ? 1 / loss.curvature : 0};
}

[[gnu::always_inline]] inline ValueAndConjugate value_and_conjugate(const Logistic& loss, double b, double z,
                                                                    double y) {
  const double p = -b * y, conjugate = entropy_of(p) + entropy_of(1 - p);
  return {value_of(loss, b, z), ((p >= 0) & (p <= 1)) ? conjugate : infinity};
}

[[gnu::always_inline]] inline DerivativeAndCurvature derivative_and_curvature(const Logistic&, double b, double z) {
  const LogisticTerms at = logistic_terms(b * z);
  return {-b * at.p, at.curvature};
}

}  // namespace seesaw
