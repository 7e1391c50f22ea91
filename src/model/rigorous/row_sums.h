// The sums over rows of a scalar problem's certificate in double, vectorized: rows are taken in small blocks, and no
// vector of n numbers is made.
#pragma once

#include <vector>

#include "model/problem.h"
#include "model/rigorous/bounded.h"
#include "model/rigorous/row_weights.h"

namespace seesaw::rigorous {

// sum_i s_i phi_i(a_i.x + b). `scores`: where a_i.x is stored, n numbers; null: nowhere. x = null: all scores are 0.
Bounded<Twofold> sum_of_losses(const Problem& problem, const RowWeights& weights, const double* x, double b,
                               Bounded<double>* scores);

// sum_i s_i phi_i*(y_i), y in its domain.
Bounded<Twofold> sum_of_conjugates(const Problem& problem, const RowWeights& weights, const double* y);

}  // namespace seesaw::rigorous
