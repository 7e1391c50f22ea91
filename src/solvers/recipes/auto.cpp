// auto: the method that is expected to be the quickest on the problem at hand, and another one where it is not.
//
// It estimates what each method would take (auto/estimates.h) from n, d, the entries and the pairs of entries of A, and
// s = mean |a_i|^2/(lambda n gamma), starts the quickest, and hands its point over to the next where the gap falls more
// slowly than that. It solves what any other method solves.
#include "solvers/recipes/auto.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "seesaw/error.h"
#include "solvers/auto/auto_solver.h"
#include "solvers/catalog.h"

namespace seesaw {
namespace {

struct AutoOptions {
  enum class From { standard, measured } costs = From::standard;  // `fit` puts the measured ones into the spec
  void describe(OptionReader& reader) {
    reader.choice(
        "costs", costs, {"standard", "measured"},
        "costs of the three basic operations: built in, the same on every machine, or measured once and kept");
  }
};

std::optional<std::string> unsupported_reason(const Problem& problem) {
  for (const Recipe& recipe : catalog())
    if (recipe.name != "auto" && !missing(recipe, problem)) return std::nullopt;
  return fmt::format("a problem that some method solves, and none takes --reg {} with the loss {}",
                     problem.penalty.name(), problem.kind->name);
}

std::string in_time(double seconds) {
  if (seconds < 0.01) return "milliseconds";
  if (seconds < 1) return fmt::format("about {:.1g} s", seconds);
  return seconds < 100 ? fmt::format("about {:.0f} s", seconds) : std::string("minutes");
}

std::optional<std::string> choice(const Problem& problem, const SolverSpec& spec) {
  const std::vector<Estimate> all = candidates(problem, spec);
  if (all.empty()) return std::nullopt;
  std::string text = fmt::format("chooses {}: {}", all[0].name, all[0].why);
  if (all.size() > 1)
    text += fmt::format(" (expected: {}; {}: {})", in_time(all[0].seconds), all[1].name, in_time(all[1].seconds));
  return text;
}

std::string methods_with(const std::string& option) {
  std::vector<std::string> names;
  for (const Recipe& recipe : catalog())
    for (const OptionInfo& info : recipe.options)
      if (info.name == option) names.push_back(recipe.name);
  return fmt::format("{}", fmt::join(names, ", "));
}

std::unique_ptr<Solver> make(const Problem& problem, const SolverSpec& spec, const Start& start) {
  for (const auto& [name, value] : spec.options)
    if (const std::string owners = methods_with(name); name != "costs" && !owners.empty())
      throw InvalidOption("--" + name, value,
                          fmt::format("it is an option of {}; name the method with --solver", owners));
  read_options<AutoOptions>(spec);
  return make_auto_solver(problem, spec, start, candidates(problem, spec));
}

}  // namespace

Recipe auto_recipe() {
  return {.name = "auto",
          .summary = "the method that should be the quickest here, and another where it is not",
          .paper = "ours: estimates of what each method takes, and a change of method where they prove wrong",
          .engine = "auto",
          .cost = "that of the method",
          .needs = {},
          .features = {.bounds = true, .l1_factors = true, .unpenalized = true},
          .block_losses = true,
          .exact_nonsmooth = true,
          .options = list_options<AutoOptions>(),
          .unsupported_reason = unsupported_reason,
          .choice = choice,
          .make = make};
}

}  // namespace seesaw
