// Problems without lambda for methods that need it: a small strongly convex perturbation (Zhu & Storkey 2015, section 1).
// The method solves g(x) + (eps/2)|x|^2 in place of g(x), with eps given by the option `perturb`. The certificate is that of
// the problem as posed, so that its gap does not fall below about (eps/2)|x|^2: at the optimum x_eps of the perturbed
// problem P(x_eps) - P(x*) <= (eps/2)(|x*|^2 - |x_eps|^2).
#pragma once

#include <memory>
#include <vector>

#include "model/problem.h"
#include "solvers/recipe.h"

namespace seesaw {

// Adds the option to the methods that need lambda > 0.
void describe_perturbation(std::vector<Recipe>& recipes);

// Whether the option is given, to a method that has it.
bool is_perturbed(const Recipe& recipe, const SolverSpec& spec);

// Throws InvalidOption for a value that is not a number above 0, and for a problem that has lambda, factors or bounds;
// Unsupported if the method does not support the perturbed problem.
std::unique_ptr<Solver> make_on_perturbed(const Recipe& recipe, const Problem& problem, const SolverSpec& spec,
                                          const Start& start);

}  // namespace seesaw
