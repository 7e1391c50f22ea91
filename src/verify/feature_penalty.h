// The penalty where it differs by feature, recomputed:  g(x) = sum_j f_j (lambda/2 x_j^2 + l1 |x_j|) with
// lower_j <= x_j <= upper_j, and an upper bound of its conjugate.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "verify/stated_problem.h"

namespace seesaw::verifier {

// Whether |V| <= size is certainly below l1 factor total, a product that may overflow.
bool far_below_l1(double size, double l1, double factor, const Ball& total);

bool uniform_penalty(const SolvedObjective& objective);

// g(x) of output k; the bounds are not looked at.
Ball feature_penalty(const LinearModel& model, std::size_t k);

// The first weight of the model that is outside its bounds: its place in model.x.
std::optional<std::size_t> weight_outside(const LinearModel& model);

struct Conjugate {
  Ball value = 0;                      // g*(v) is at most its upper end
  std::size_t outside = 0, worst = 0;  // columns where it is infinite: how many, and the first
  // Columns with neither a penalty nor a bound on the side of v, and v not exactly 0: left out, to be charged for.
  std::vector<std::size_t> unpenalized = {};
};

// Of v = -V / total, the V of one output at image[j stride + at].
Conjugate feature_conjugate(const StatedProblem& problem, const std::vector<Ball>& image, std::size_t stride,
                            std::size_t at);

}  // namespace seesaw::verifier
