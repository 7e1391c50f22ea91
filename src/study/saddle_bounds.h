// The bounds of the papers' theorems on |x^t - x*|^2, from x^0 = 0, as bounds of the suboptimality:
//
//     P(x) - P* <= (Lambda/2) |x - x*|^2        Lambda = lambda + N^2/gamma, N = |A|/sqrt(n)
//
// which holds for (1/gamma)-smooth losses and l2. x* and y* are computed; a bound throws Error if its conditions do not
// hold. The theorems on random draws bound expectations.
#pragma once

#include "study/series.h"

namespace seesaw {

// AdaSPDC, (16) of Zhu & Storkey with m = 1: the expected product of theta^t over independent draws.
std::vector<Curve> adaspdc_bound(const SeriesInput& input);

// SPDC-AIS, Theorem 1 of Liu, Wang & So. Options: `delta`, the largest (0.8), and `ramp`, the passes over which it is reached
// (all). Condition (15), theta_t <= theta, is measured in up to 500 steps of a run with these draws (ais_probe.h).
std::vector<Curve> ais_bound(const SeriesInput& input);

// Wang & Xiao, option `theorem`: 1 (Opt-BPD), 2 (SPDC with step constant 4), 3 (dual-free BPD), 4 (dual-free SPDC). Option
// `mu`: lambda (the strong convexity of the data is not used) or data.
std::vector<Curve> strong_convexity_bound(const SeriesInput& input);

// ASPDC-i, Theorem 2 of Liang et al.: xi_1 exp(-k eta/2) after k moves of the centre, at the checks of the runs of the
// method with the label of option `method`. Rows of norm at most 1.
std::vector<Curve> aspdc_i_bound(const SeriesInput& input);

}  // namespace seesaw
