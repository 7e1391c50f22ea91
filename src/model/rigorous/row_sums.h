// The sums over rows of a scalar problem's certificate in double, vectorized: rows are taken in small blocks, and no
// vector of n numbers is made.
#pragma once

#include <vector>

#include "model/problem.h"
#include "model/rigorous/bounded.h"
#include "model/rigorous/row_weights.h"

namespace seesaw::rigorous {

// The x of scores; null: all scores are 0. The scores themselves where they are known, n numbers.
struct ScoresOf {
  const double* x;
  const Bounded<double>* known = nullptr;
};

// sum_i s_i phi_i(a_i.x + b). `scores`: where a_i.x is stored, n numbers; null: nowhere.
Bounded<Twofold> sum_of_losses(const Problem& problem, const RowWeights& weights, const ScoresOf& of, double b,
                               Bounded<double>* scores);

// sum_i s_i phi_i*(y_i), y in its domain.
Bounded<Twofold> sum_of_conjugates(const Problem& problem, const RowWeights& weights, const double* y);

}  // namespace seesaw::rigorous
