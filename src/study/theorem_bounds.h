// The bounds of the papers' theorems on the expected gap after a number of passes, as curves. They hold for l2, no free
// intercept and rows of norm at most 1; a bound throws Error if its conditions do not hold.
#pragma once

#include "study/series.h"

namespace seesaw {

// SDCA, (1/gamma)-smooth losses, T steps, m = n + 1/(lambda gamma). Option `point`:
//   last             m exp(-T/m)
//   average          m/(T - T0) exp(-T0/m): of the mean of the iterates from T0 on, as `sdca --average on`
//   average-printed  m/(T - T0) exp(-T/m): as printed by Desforges, Karpe and Roux
std::vector<Curve> sdca_smooth_bound(const SeriesInput& input);

// SDCA, L-Lipschitz losses, averaged point: 20 L^2/(lambda (T - n - max(0, n log(lambda n/(2 L^2))))).
std::vector<Curve> sdca_lipschitz_bound(const SeriesInput& input);

// ASPDC, lambda >= 4/(n gamma): 2n (1 - 1/(2n))^T (P(0) - D(0)), Lemma 2 of Liang et al.
std::vector<Curve> aspdc_bound(const SeriesInput& input);

}  // namespace seesaw
