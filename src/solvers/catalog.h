// The only list of methods. Help, docs, tests and `seesaw solvers` read it; nothing else names them.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "solvers/recipe.h"

namespace seesaw {

const std::vector<Recipe>& catalog();
const Recipe& recipe_named(std::string_view name);  // throws InvalidOption
std::string family_of(const Recipe& recipe);        // its engine in words: "dual ascent"
inline constexpr std::string_view default_solver = "auto";

// Checks that the method can solve the problem (throws Unsupported with what is missing and what would work), then
// assembles it. The problem must outlive the solver.
std::unique_ptr<Solver> make_solver(const Problem& problem, const SolverSpec& spec, const Start& start = {});

// What the method says of this problem before it runs: a warning, or what it will cost.
std::optional<std::string> remark_on(const Problem& problem, const SolverSpec& spec);
// What a method that chooses has chosen, and why.
std::optional<std::string> choice_on(const Problem& problem, const SolverSpec& spec);

}  // namespace seesaw
