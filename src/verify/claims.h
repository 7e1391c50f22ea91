// The numbers of a certificate against the recomputed ones. No tolerances: every claim must be proved by them.
#pragma once

#include "verify/problems.h"

namespace seesaw::verifier {

struct OwnNumbers {
  double primal, dual, gap;  // P rounded up, D rounded down
};
void compare_bounds(const OwnNumbers& own, double primal, double dual, double gap, Problems& problems);
// lambda/2 |x - x*|^2 <= gap
void compare_distance(double gap, double lambda, double claimed, Problems& problems);

}  // namespace seesaw::verifier
