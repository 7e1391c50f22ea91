#include "model/rigorous/feature_penalty.h"

namespace seesaw::rigorous {
namespace {

using Fine = Bounded<Twofold>;

double factor(const std::vector<double>& factors, std::size_t j) { return factors.empty() ? 1 : factors[j]; }

Fine product(double coefficient, double f) { return Fine(coefficient) * Fine(f); }  // not rounded

}  // namespace

Fine penalty_of_features(const Penalty& penalty, const std::vector<double>& x, std::size_t outputs) {
  const PenaltyFeatures& features = penalty.features();
  BoundedSum<Twofold> squares, sizes;
  for (std::size_t at = 0; at < x.size(); ++at) {
    const std::size_t j = at / outputs;
    if (!penalty.bounds(j).contains(x[at])) return {Twofold(0.0), infinity};
    if (x[at] == 0) continue;
    const Fine t(std::abs(x[at]));
    squares.add(Fine(factor(features.l2_factor, j)) * (t * t));
    sizes.add(Fine(factor(features.l1_factor, j)) * t);
  }
  return Fine(0.5) * Fine(penalty.l2()) * squares.value() + Fine(penalty.l1()) * sizes.value();
}

bool FeatureConjugateSum::add(std::size_t feature, const Fine& q) {
  const PenaltyFeatures& features = penalty_.features();
  const Fine l1_total = product(penalty_.l1(), factor(features.l1_factor, feature)) * total_;
  const Fine m = product(penalty_.l2(), factor(features.l2_factor, feature));
  const bool positive = leading(q.value) < 0;  // v = -q / total
  const Fine size = positive ? -q : q;
  const Fine beyond = positive_part(size - l1_total);
  if (leading(beyond.value) == 0 && beyond.error == 0) return true;
  const Interval bounds = penalty_.bounds(feature);
  const bool sign_is_certain = leading(size.value) * (1 - 0x1p-40) > widened(q.error);
  const double cap = sign_is_certain ? (positive ? bounds.hi : -bounds.lo) : std::max(bounds.hi, -bounds.lo);
  if (cap == 0) return true;
  const Fine p = beyond / total_;
  if (leading(m.value) > 0) {
    const Fine at_cap = std::isfinite(cap) ? m * Fine(cap) : Fine(0.0);
    if (std::isfinite(cap) && lower(p) >= upper(at_cap)) sum_.add(Fine(cap) * (p - Fine(0.5) * at_cap));
    else sum_.add(Fine(0.5) * (p * (p / m)));
    return true;
  }
  if (std::isfinite(cap)) {
    sum_.add(Fine(cap) * p);
    return true;
  }
  const double limit = lower(l1_total);
  if (leading(l1_total.value) == 0) return false;
  if (greatest_size(q) <= limit * (1 - 0x1p-60)) return true;
  feasible_ = false;
  shrink_ = std::min(shrink_, limit > 0 ? limit / (greatest_size(q) + 2 * q.error) * (1 - 0x1p-49) : 0);
  return true;
}

FeatureConjugate FeatureConjugateSum::result() const { return {sum_.value(), feasible_, shrink_, {}}; }

}  // namespace seesaw::rigorous
