// Which methods solve a kind of problem: the table of docs/solvers.md.
#pragma once

#include <string>
#include <vector>

#include "model/losses/loss.h"

namespace seesaw {

// The methods that solve this loss with (lambda/2)|x|^2 + l1 |x|_1, in the order of the catalog. What a method needs
// of the numbers in the data (Needs::of_numbers) is not known here and taken as given.
std::vector<std::string> methods_for(const LossKind& kind, double lambda, double l1);

}  // namespace seesaw
