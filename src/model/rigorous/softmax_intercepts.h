// Where the optimal free intercepts of a softmax problem are. h(b) = sum_i c_i phi_i(A_i X* + b) is minimal at b*, and
// the scores A_i X* are within |a_i| R of those of a known point (X, b). The loss is self-concordant in the sense that
// its Hessian changes by at most a factor exp(max_k d_k - min_k d_k) along d, so with w = b* - b, both of the same sum,
//
//     mu = smallest eigenvalue of sum_i c_i e^(-sqrt(2) |a_i| R) H_i  on  sum_k w_k = 0,     H_i = diag(p_i) - p_i p_i^T
//     G  = |sum_i c_i (p_i - e_i)| + sum_i c_i min(1/2, (1 - |p_i|^2) e^(sqrt(2) |a_i| R)) |a_i| R   >=  |grad h(b)|
//     0 = <grad h(b*), w> >= -G |w| + mu |w|^2 (1 - e^-M)/M,   M <= sqrt(2) |w|
//     |w| <= -log(1 - sqrt(2) G/mu) / sqrt(2)            where sqrt(2) G < mu; otherwise nothing is proved
#pragma once

#include <vector>

#include "model/problem.h"
#include "model/rigorous/row_weights.h"

namespace seesaw::rigorous {

// |b* - intercept| <= the result, which may be infinite. `scores`: K per row, of the centre and the intercept;
// `reach`: |a_i| R, from above. O(n K^2).
double softmax_intercept_reach(const Problem& problem, const RowWeights& weights, const Bounded<Twofold>& total,
                               const std::vector<Bounded<double>>& scores, const std::vector<double>& reach);

}  // namespace seesaw::rigorous
