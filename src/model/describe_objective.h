// The exact objective in words and symbols, and what it is called elsewhere.
#pragma once

#include <string>
#include <vector>

#include "model/problem.h"

namespace seesaw {

// "P(x, b) = 1/n sum_i (1 - b_i (a_i.x + b))_+ + (3.07e-05/2) |x|^2,  n = 32561, ..."
std::string describe_objective(const Problem& problem);

// One line for each of LIBLINEAR, scikit-learn and glmnet that has the same objective, with its parameters.
std::vector<std::string> equivalents(const Problem& problem);

}  // namespace seesaw
