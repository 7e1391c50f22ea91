// The penalty and its conjugate in the certificate of model/rigorous/rigorous_certificate.h.
#include <algorithm>
#include <cmath>

#include "model/rigorous/feature_penalty.h"
#include "model/rigorous/rigorous_certificate.h"

namespace seesaw {

using namespace rigorous;

namespace {

// lambda = 4^half_exponent factor, 1 <= factor < 4.
struct ScaledLambda {
  int half_exponent;
  double factor;
  explicit ScaledLambda(double lambda) : half_exponent(static_cast<int>(std::floor(std::ilogb(lambda) / 2.0))) {
    factor = std::ldexp(std::ldexp(lambda, -half_exponent), -half_exponent);
  }
};

Bounded<Twofold> times_power(Bounded<Twofold> b, int exponent) {
  return {{std::ldexp(b.value.high, exponent), std::ldexp(b.value.low, exponent)},
          std::ldexp(b.error, exponent) + underflow};
}

}  // namespace

// (lambda/2)|x|^2 + l1 |x|_1
template <class V>
RigorousCertifier::Sum RigorousCertifier::penalty(const std::vector<double>& x) const {
  if (!problem_.penalty.uniform()) return penalty_of_features(problem_.penalty, x, outputs_);
  Sum result;
  if (problem_.penalty.l2() > 0) {  // (m/2) |2^h x|^2 with lambda = 4^h m: nothing overflows before the result does
    const ScaledLambda lambda(problem_.penalty.l2());
    const Bounded<V> scale(std::ldexp(1.0, lambda.half_exponent));
    BoundedSum<V> squares;
    for (const double xj : x) {
      if (xj == 0) continue;
      const Bounded<V> t = scale * Bounded<V>(xj);
      squares.add(t * t);
    }
    result = Sum(0.5 * lambda.factor) * squares.value();
  }
  if (problem_.penalty.l1() > 0) {
    BoundedSum<V> sizes;
    for (const double xj : x) sizes.add(Bounded<V>(std::abs(xj)));
    result = result + Sum(problem_.penalty.l1()) * sizes.value();
  }
  return result;
}

// g*(v), v = -q / sum s: |S(q, l1 sum s)|^2 / (2 lambda (sum s)^2), or whether |q|_inf <= l1 sum s.
template <class V>
void RigorousCertifier::bound_conjugate(const std::vector<Bounded<V>>& q, Dual& dual) const {
  double most = 0;
  for (const Bounded<V>& qj : q) most = std::max(most, size_of(qj.value) + qj.error);
  if (!std::isfinite(most)) {
    dual.value.error = infinity;
    return;
  }
  if (!problem_.penalty.uniform()) {
    const FeatureConjugate conjugate =
        conjugate_of_features(problem_.penalty, total_, q.size(), outputs_, [&](std::size_t at) -> Sum {
          return {Twofold(q[at].value), q[at].error};
        });
    dual.value = dual.value - conjugate.value;
    dual.feasible = conjugate.feasible;
    dual.shrink = conjugate.shrink;
    dual.unpenalized = conjugate.unpenalized;
    return;
  }
  if (problem_.penalty.l2() == 0) {
    const double limit = lower(Sum(problem_.penalty.l1()) * total_);
    double worst = 0, least_margin = 0;
    for (const Bounded<V>& qj : q) {
      worst = std::max(worst, greatest_size(qj));
      least_margin = std::max(least_margin, greatest_size(qj) + 2 * qj.error);
    }
    dual.feasible = worst <= limit * (1 - 0x1p-60);
    dual.shrink = limit / least_margin * (1 - 0x1p-49);
    return;
  }
  if (most == 0) return;
  const int exponent = std::clamp(-std::ilogb(most), -1000, 1000);
  const double scale = std::ldexp(1.0, exponent);
  BoundedSum<V> squares;
  const Sum l1_total = Sum(problem_.penalty.l1()) * total_;
  Bounded<V> threshold;
  if constexpr (std::is_same_v<V, double>)
    threshold = {l1_total.value.high, l1_total.error + unit * std::abs(l1_total.value.high)};
  else threshold = l1_total;
  for (const Bounded<V>& qj : q) {
    Bounded<V> t = leading(qj.value) < 0 ? -qj : qj;
    if (problem_.penalty.l1() > 0) {
      t = positive_part(t - threshold);
      if (leading(t.value) == 0 && t.error == 0) continue;
    }
    t = t * Bounded<V>(scale);
    squares.add(t * t);
  }
  const ScaledLambda lambda(problem_.penalty.l2());
  const Sum conjugate = Sum(0.5) * (squares.value() / total_ / total_ / Sum(lambda.factor));
  dual.value = dual.value - times_power(conjugate, -2 * (exponent + lambda.half_exponent));
}

template RigorousCertifier::Sum RigorousCertifier::penalty<double>(const std::vector<double>&) const;
template RigorousCertifier::Sum RigorousCertifier::penalty<Twofold>(const std::vector<double>&) const;
template void RigorousCertifier::bound_conjugate(const std::vector<Bounded<double>>&, Dual&) const;
template void RigorousCertifier::bound_conjugate(const std::vector<Bounded<Twofold>>&, Dual&) const;

}  // namespace seesaw
