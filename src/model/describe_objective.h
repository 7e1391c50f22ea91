// The exact objective in words and symbols, and its name in other programs.
#pragma once

#include <string>
#include <vector>

#include "data/transform.h"
#include "model/problem.h"

namespace seesaw {

// "P(x, b) = 1/n sum_i (1 - b_i (a_i.x + b))_+ + (3.07e-05/2) |x|^2,  n = 32561, ..."
std::string describe_objective(const Problem& problem);

// One line for each of LIBLINEAR, scikit-learn and glmnet that has the same objective, with its parameters.
// `transform`: from the original data to the rows of the problem; the lines state the data that the peer needs. Only
// the kind of scaling and Scaling::max's factor are read.
std::vector<std::string> equivalents(const Problem& problem, const Transform& transform = {});

}  // namespace seesaw
