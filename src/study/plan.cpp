#include "study/plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <set>

#include "run/fit_groups.h"
#include "run/lines.h"
#include "seesaw/error.h"
#include "seesaw/version.h"
#include "solvers/catalog.h"
#include "study/command_line.h"

namespace seesaw {
namespace {

std::string with_spaces(std::string_view name) {
  std::string text(name);
  for (char& c : text)
    if (c == '_' || c == '-') c = ' ';
  return text;
}

const Recipe& named(const std::string& name) {
  try {
    return recipe_named(name);
  } catch (const InvalidOption&) {
    std::string names = "all";
    for (const Recipe& recipe : catalog()) names += ", " + recipe.name;
    throw InvalidOption("solvers", name, "choose from " + names);
  }
}

// Of the bits of factors and bounds; 0 if there are none.
std::uint64_t hash_of_features(const Penalty& penalty) {
  if (penalty.uniform()) return 0;
  const PenaltyFeatures& features = penalty.features();
  std::uint64_t hash = 1;
  for (const auto* numbers : {&features.l2_factor, &features.lower, &features.upper})
    for (std::size_t j = 0; j <= numbers->size(); ++j) {  // a separator at the end of each
      hash = (hash ^ (j < numbers->size() ? std::bit_cast<std::uint64_t>((*numbers)[j]) : j)) * 0x9e3779b97f4a7c15;
      hash ^= hash >> 32;
    }
  return hash;
}

std::string unsupported(const Recipe& recipe, const Problem& problem, const SolverSpec& solver) {
  const auto why = missing(recipe, problem, solver);
  return why ? fmt::format("{} needs {}", recipe.name, *why) : "";
}

Competitor plain(const Recipe& recipe) { return {recipe.name, {.name = recipe.name, .options = {}}}; }

}  // namespace

Competitor competitor(std::string_view text) {
  Competitor result;
  std::size_t colon = text.find(':');
  result.solver.name = std::string(text.substr(0, colon));
  const Recipe& recipe = named(result.solver.name);
  result.label = recipe.name;
  while (colon != std::string_view::npos) {
    text.remove_prefix(colon + 1);
    colon = text.find(':');
    const std::string_view part = text.substr(0, colon);
    const std::size_t equals = part.find('=');
    const std::string name(part.substr(0, equals));
    const bool known = std::any_of(recipe.options.begin(), recipe.options.end(),
                                   [&](const OptionInfo& option) { return option.name == name; });
    if (!known || equals == std::string_view::npos) {
      std::string names;
      for (const OptionInfo& option : recipe.options) names += (names.empty() ? "" : ", ") + option.name;
      throw InvalidOption("solvers", std::string(part),
                          fmt::format("write {}:OPTION=VALUE with one of its options ({})", recipe.name, names));
    }
    result.solver.options[name] = std::string(part.substr(equals + 1));
    result.label += fmt::format(" --{} {}", name, part.substr(equals + 1));
  }
  return result;
}

std::vector<Competitor> all_competitors() {
  std::vector<Competitor> all;
  for (const Recipe& recipe : catalog()) all.push_back(plain(recipe));
  return all;
}

std::vector<Competitor> competitors_of_family(std::string_view family) {
  std::vector<Competitor> found;
  std::string families;
  for (const Recipe& recipe : catalog()) {
    const std::string name = family_of(recipe);
    if (name == with_spaces(family)) found.push_back(plain(recipe));
    if (families.find(name) == std::string::npos) families += (families.empty() ? "" : ", ") + name;
  }
  if (found.empty()) throw InvalidOption("family", std::string(family), "choose one of: " + families);
  return found;
}

std::string key_of(const PlannedRun& run) {
  // The command contains everything but the content of files; labels distinguish runs in tables.
  return fmt::format("{} {:016x} {} {} {} {}", version(),
                     run.problem->prepared.hash ^ hash_of_features(run.problem->problem.penalty),
                     train_command(*run.problem, run.solver, run.criteria), run.experiment, run.panel, run.label);
}

std::string Refused::line() const { return refused_line(solver, why, {{"label", label}, {"problem", problem}}); }

Plan make_plan(const std::vector<std::shared_ptr<const StudyProblem>>& problems,
               const std::vector<Competitor>& competitors, std::size_t seeds, const Criteria& criteria) {
  Plan plan;
  std::set<std::string> planned;  // a problem or method that is given twice is run once
  for (const auto& problem : problems)
    for (const Competitor& one : competitors) {
      const Recipe& recipe = recipe_named(one.solver.name);
      const auto why = problem->groups ? with_options(unsupported_by_groups(one.solver))
                                       : unsupported(recipe, problem->problem, one.solver);
      if (!why.empty()) {
        Refused refused{one.label, recipe.name, problem->name, why};
        if (planned.insert(refused.line()).second) plan.refused.push_back(std::move(refused));
        continue;
      }
      for (std::size_t k = 0; k < (recipe.random ? seeds : 1); ++k) {
        PlannedRun run{problem, one.solver, criteria, one.label};
        run.solver.seed += k;
        if (planned.insert(key_of(run)).second) plan.runs.push_back(std::move(run));
      }
    }
  return plan;
}

}  // namespace seesaw
