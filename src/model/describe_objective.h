// The exact objective in words and symbols, and what it is called elsewhere.
#pragma once

#include <string>
#include <vector>

#include "data/transform.h"
#include "model/problem.h"

namespace seesaw {

// "P(x, b) = 1/n sum_i (1 - b_i (a_i.x + b))_+ + (3.07e-05/2) |x|^2,  n = 32561, ..."
std::string describe_objective(const Problem& problem);

// One line for each of LIBLINEAR, scikit-learn and glmnet that has the same objective, with its parameters.
// `transform`: what made the rows of the problem out of the data as given; the lines say which data the peer is to be
// given. Of it only the kind of scaling and Scaling::max's factor are read.
std::vector<std::string> equivalents(const Problem& problem, const Transform& transform = {});

}  // namespace seesaw
