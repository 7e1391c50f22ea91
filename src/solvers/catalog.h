// The only list of methods. Help, docs, tests and `seesaw solvers` enumerate it.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "solvers/recipe.h"

namespace seesaw {

const std::vector<Recipe>& catalog();
const Recipe& recipe_named(std::string_view name);  // throws InvalidOption
std::string family_of(const Recipe& recipe);        // the name of its engine: "dual ascent"
inline constexpr std::string_view default_solver = "auto";

// Checks that the method supports the problem (throws Unsupported with the missing requirement and methods that do), then
// assembles it. The problem must outlive the solver.
std::unique_ptr<Solver> make_solver(const Problem& problem, const SolverSpec& spec, const Start& start = {});

// The method's message about this problem before it runs: a warning, or its cost. The end of "NAME ...".
std::optional<std::string> message_for(const Problem& problem, const SolverSpec& spec);
// The method selected by `auto` and the reason. The end of "NAME ...".
std::optional<std::string> choice_for(const Problem& problem, const SolverSpec& spec);

// Several processes: the methods that run on them, "newton, lbfgs or ws", and what `auto` selects there, by the problem alone.
std::string methods_over_ranks();
std::string_view choose_over_ranks(const Problem& problem);

}  // namespace seesaw
