// Where an optimal free intercept lies, by Jensen's inequality (docs/certificates.md), so that a small sum_i c_i y_i
// costs D no more than it must.
#pragma once

#include <vector>

#include "model/problem.h"
#include "model/rigorous/bounded.h"
#include "model/rigorous/row_weights.h"

namespace seesaw::rigorous {

class InterceptBounds {
 public:
  // By the norms of the rows, which are at least those of their means: no product.
  InterceptBounds(const Problem& problem, const RowWeights& weights, Bounded<Twofold> total);

  void tighten();  // by the means of the rows: a product by A^T per class (regression: one)
  bool tight() const { return tight_; }

  // A lower bound of sum_k b*_k r_k, for r_k = sum_i c_i y_ik and P* <= primal; -infinity where there is none.
  double least(double primal, const std::vector<Bounded<Twofold>>& r) const;
  double largest(double primal) const;  // of |b*_k|, several free intercepts whose sum is 0

 private:
  struct Group {        // the rows of a class; all rows for regression
    double weight = 0;  // sum of c_i, from below
    double mean = 0;    // |abar|, from above: Euclidean, l1 alone: the largest entry at least
  };
  std::size_t group_of(std::size_t i) const;  // classification
  Interval bounds(double primal) const;       // of one free intercept
  double reach(double primal) const;          // X: |x*| <= it (l1 alone: |x*|_1)

  const Problem& problem_;
  const RowWeights& weights_;
  Bounded<Twofold> total_;
  bool tight_ = false;
  std::vector<Group> groups_;                // the negative and the positive rows; the classes; or all
  double target_low_ = 0, target_high_ = 0;  // tbar
};

}  // namespace seesaw::rigorous
