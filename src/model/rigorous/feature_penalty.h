// A penalty with factors and bounds per feature, and its conjugate, with error bounds. Per coordinate, with
// p = (|v| - l1 f)_+, m = l2 f, and `cap` the size of the bound on the side of v (infinite without one):
//
//     g*(v) = max over 0 <= u <= cap of p u - (m/2) u^2  =  p^2/(2 m)  where p <= m cap,  p cap - (m/2) cap^2  beyond
//
// p^2/(2 m) is an upper bound in any case, so it is used where rounding leaves the comparison open. With m = 0 it is
// p cap; without a bound it is finite only for p = 0.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include "model/penalty/penalty.h"
#include "model/rigorous/bounded.h"

namespace seesaw::rigorous {

// g(x); infinite where a bound is violated.
Bounded<Twofold> penalty_of_features(const Penalty& penalty, const std::vector<double>& x, std::size_t outputs);

struct FeatureConjugate {
  Bounded<Twofold> value;                     // g*(v) is at most its upper end
  bool feasible = true;                       // g*(v) is finite
  double shrink = 1;                          // if not: g*(s v) is finite for s <= this, 0 where there is none
  std::vector<std::size_t> unpenalized = {};  // features that were left out
};

class FeatureConjugateSum {
 public:
  FeatureConjugateSum(const Penalty& penalty, const Bounded<Twofold>& total) : penalty_(penalty), total_(total) {}
  // v = -q / total. False where the feature has neither a penalty nor a bound on this side: nothing is added then, and
  // what v_j x_j may amount to remains to be bounded (unpenalized_reach.h).
  bool add(std::size_t feature, const Bounded<Twofold>& q);
  FeatureConjugate result() const;

 private:
  const Penalty& penalty_;
  Bounded<Twofold> total_;
  BoundedSum<Twofold> sum_;
  bool feasible_ = true;
  double shrink_ = 1;
};

// Of v = -q / total, q_at(at) for at < count, with `outputs` numbers per feature.
template <class QAt>
FeatureConjugate conjugate_of_features(const Penalty& penalty, const Bounded<Twofold>& total, std::size_t count,
                                       std::size_t outputs, const QAt& q_at) {
  FeatureConjugateSum sum(penalty, total);
  std::vector<std::size_t> left_out;
  for (std::size_t at = 0; at < count; ++at)
    if (!sum.add(at / outputs, q_at(at))) left_out.push_back(at / outputs);
  FeatureConjugate result = sum.result();
  result.unpenalized = std::move(left_out);
  return result;
}

}  // namespace seesaw::rigorous
