// The primal point of a dual one, x = grad g*(v): x_j = S(w_j, l1_j/lambda), clipped to the bounds of the feature, with
// w = v/lambda.
#pragma once

#include <cstddef>
#include <type_traits>
#include <vector>

#include "data/rows.h"
#include "model/penalty/penalty.h"

namespace seesaw {

template <class Shape>
class PrimalMap {
 public:
  // lambda: with the coefficient of an outer term.
  void set(const Penalty& penalty, double lambda, std::size_t d) {
    threshold_ = penalty.l1() / lambda;
    if (penalty.uniform()) return;
    feature_.resize(d);
    for (std::size_t j = 0; j < d; ++j) feature_[j] = {penalty.l1(j) / lambda, penalty.bounds(j)};
  }

  double x(std::size_t j, double w) const {
    if (feature_.empty()) return soft_threshold(w, threshold_);
    return feature_[j].bounds.clip(soft_threshold(w, feature_[j].threshold));
  }

  double squared_norm(const std::vector<double>& w) const {  // |x|^2
    double squares = 0;
    for (std::size_t j = 0; j < w.size(); ++j) squares += x(j, w[j]) * x(j, w[j]);
    return squares;
  }

  template <class Row>
  [[gnu::always_inline]] double score(Row a, const std::vector<double>& w) const {  // a.x
    if constexpr (std::is_same_v<Shape, L2>) return dot(a, w.data());
    else if (feature_.empty()) return dot_soft(a, w.data(), threshold_);
    else return score_of_features(a, w);
  }

 private:
  template <class Row>
  [[gnu::noinline]] double score_of_features(Row a, const std::vector<double>& w) const {
    double z = 0;
    for_each(a, [&](std::size_t j, double value) { z += value * x(j, w[j]); });
    return z;
  }

  struct Feature {
    double threshold;
    Interval bounds;
  };
  double threshold_ = 0;
  std::vector<Feature> feature_;  // empty: a uniform penalty
};

}  // namespace seesaw
