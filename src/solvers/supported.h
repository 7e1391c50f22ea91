// The methods that support a kind of problem: the table of docs/solvers.md.
#pragma once

#include <string>
#include <vector>

#include "model/losses/loss.h"

namespace seesaw {

// The methods that support this loss with (lambda/2)|x|^2 + l1 |x|_1, in the order of the catalog. Requirements on the
// data (Needs::of_numbers) are assumed to be met.
std::vector<std::string> methods_for(const LossKind& kind, double lambda, double l1);

}  // namespace seesaw
