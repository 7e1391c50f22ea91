// The gaps that theorems of the papers allow after so many passes, as curves beside the runs. They hold for the
// expected gap, l2, no intercept but a penalized one, rows of norm 1 at most; outside of its conditions a bound throws
// Error, since it would say nothing.
#pragma once

#include "study/series.h"

namespace seesaw {

// SDCA, (1/gamma)-smooth losses, T steps, m = n + 1/(lambda gamma). Option `point`:
//   last             m exp(-T/m)
//   average          m/(T - T0) exp(-T0/m): of the mean from T0 on, where that of `sdca --average on` begins
//   average-printed  m/(T - T0) exp(-T/m): as Desforges, Karpe and Roux print it
std::vector<Curve> sdca_smooth_bound(const SeriesInput& input);

// SDCA, L-Lipschitz losses, averaged point: 20 L^2/(lambda (T - n - max(0, n log(lambda n/(2 L^2))))).
std::vector<Curve> sdca_lipschitz_bound(const SeriesInput& input);

// ASPDC, lambda >= 4/(n gamma): 2n (1 - 1/(2n))^T (P(0) - D(0)), Lemma 2 of Liang et al.
std::vector<Curve> aspdc_bound(const SeriesInput& input);

}  // namespace seesaw
