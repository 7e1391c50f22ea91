#include "solvers/perturbed_problem.h"

#include <fmt/format.h>

#include "seesaw/error.h"
#include "solvers/named_number.h"
#include "solvers/solver_on.h"

namespace seesaw {
namespace {

constexpr const char* option = "perturb";

bool has_option(const Recipe& recipe) { return recipe.needs.curvature == Need::lambda; }

}  // namespace

void describe_perturbation(std::vector<Recipe>& recipes) {
  for (Recipe& recipe : recipes)
    if (has_option(recipe))
      recipe.options.push_back(
          {option, "a number above 0", "off",
           "for problems without lambda: solve with this lambda in place of 0; the gap remains that "
           "of the problem as posed"});
}

bool is_perturbed(const Recipe& recipe, const SolverSpec& spec) {
  return has_option(recipe) && spec.options.contains(option);
}

std::unique_ptr<Solver> make_on_perturbed(const Recipe& recipe, const Problem& problem, const SolverSpec& spec,
                                          const Start& start) {
  const std::string& text = spec.options.at(option);
  const std::optional<double> eps = given_number(spec, option);
  if (!eps) throw InvalidOption(option, text, "it must be a number above 0");
  if (problem.penalty.l2() > 0)
    throw InvalidOption(option, text, fmt::format("the problem has lambda {:.6g}; omit it", problem.penalty.l2()));
  if (!problem.penalty.uniform())
    throw InvalidOption(option, text, "it needs a penalty without factors and bounds; use `lambda` instead");
  if (problem.is_block())
    throw InvalidOption(option, text,
                        fmt::format("without lambda there is no certificate for {}; use `lambda`", problem.kind->name));
  auto perturbed = std::make_unique<Problem>(problem);
  perturbed->penalty = Penalty(*eps, problem.penalty.l1());
  if (const auto reason = missing(recipe, *perturbed))
    throw Unsupported(fmt::format("{} needs {}.", recipe.name, *reason));
  SolverSpec others = spec;
  others.options.erase(option);
  auto method = recipe.make(*perturbed, others, start);
  return std::make_unique<SolverOn<Problem>>(std::move(perturbed), std::move(method));
}

}  // namespace seesaw
