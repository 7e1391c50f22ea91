// s_i = (weight of row i) (weight of its class), the product not rounded.
#pragma once

#include <algorithm>

#include "base/tree_sum.h"
#include "model/problem.h"
#include "model/rigorous/bounded.h"

namespace seesaw::rigorous {

class RowWeights {
 public:
  explicit RowWeights(const Problem& problem)
      : row_(problem.data->weights.empty() ? nullptr : problem.data->weights.data()),
        of_class_(problem.class_weight_of_row ? problem.class_weight_of_row->data() : nullptr),
        all_one_(row_ == nullptr && !problem.class_weight_of_row &&
                 !(problem.leaves().shares() != nullptr && problem.leaves().shares()->weighted)) {}

  bool all_one() const { return all_one_; }  // of all processes
  Twofold exact(std::size_t i) const {
    if (row_ == nullptr) return of_class_ == nullptr ? 1.0 : of_class_[i];
    return of_class_ == nullptr ? Twofold(row_[i]) : two_product(row_[i], of_class_[i]);
  }
  // s_i term
  template <class V>
  Bounded<V> times(std::size_t i, Bounded<V> term) const {
    if (all_one()) return term;
    return weight(i, V()) * term;
  }
  // s_i y; within 2 u (Twofold: 2^-101) of its size.
  double times_value(std::size_t i, double y) const { return all_one() ? y : exact(i).high * y; }
  Twofold times_value(std::size_t i, Twofold y) const { return all_one() ? y : exact(i) * y; }

  Bounded<Twofold> total(const Leaves& leaves) const {
    if (all_one()) return {Twofold(static_cast<double>(leaves.all_rows())), 0};
    return tree_sum<BoundedSum<Twofold>>(leaves,
                                         [&](std::size_t begin, std::size_t end) {
                                           BoundedSum<Twofold> sum;
                                           for (std::size_t i = begin; i < end; ++i) sum.add({exact(i), underflow});
                                           return sum;
                                         })
        .value();
  }

 private:
  Bounded<double> weight(std::size_t i, double) const {
    const double s = exact(i).high;
    return {s, of_class_ != nullptr && row_ != nullptr ? unit * s + underflow : 0};
  }
  Bounded<Twofold> weight(std::size_t i, Twofold) const { return {exact(i), underflow}; }

  const double* row_;
  const double* of_class_;
  bool all_one_;
};

// Whether every c_i = s_i / sum s in floating point has a relative error of a few roundings: no s_i and no c_i is near the
// subnormal numbers. The same on all ranks.
inline bool normalized_accurately(const Problem& problem) {
  if (RowWeights(problem).all_one()) return true;
  constexpr double least = 0x1p-960;
  const double sum = std::min(problem.total_weight, 1.0);
  return !any_rank(problem.leaves(), std::any_of(problem.normalized_weight.begin(), problem.normalized_weight.end(),
                                                 [&](double c) { return !(c * sum >= least); }));
}

}  // namespace seesaw::rigorous
