// auto: selects the method with the lowest estimated time, and switches to another if the gap falls too slowly.
//
// Estimates the time of each method (auto/estimates.h) from n, d, the entries and the pairs of entries of A, and the
// condition estimate s = mean |a_i|^2/(lambda n gamma), starts the fastest, and continues with the next one from its
// point if the gap falls more slowly than estimated. Supports every problem that some other method supports.
#include "solvers/recipes/auto.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "data/extents.h"
#include "seesaw/error.h"
#include "solvers/auto/auto_solver.h"
#include "solvers/catalog.h"

namespace seesaw {
namespace {

struct AutoOptions {
  enum class From { standard, measured } costs = From::standard;  // measured ones are put into the spec by `fit`
  void describe(OptionReader& reader) {
    reader.choice(
        "costs", costs, {"standard", "measured"},
        "costs of the three basic operations: built in and equal on every machine, or measured once and stored");
  }
};

std::optional<std::string> auto_unsupported(const Problem& problem) {
  for (const Recipe& recipe : catalog())
    if (recipe.name != "auto" && !missing(recipe, problem)) return std::nullopt;
  const Penalty& penalty = problem.penalty;
  return fmt::format("a supported problem, and no method supports `penalty` {} with the loss {}{}{}{}", penalty.name(),
                     problem.kind->name, penalty.has_factors() ? ", penalty factors" : "",
                     penalty.has_bounds() ? ", bounds of coefficients" : "",
                     extents_of(problem.data->rows) != nullptr ? ", where the rows are on disk" : "");
}

std::string format_seconds(double seconds) {
  if (seconds < 0.001) return "below 1 ms";
  return seconds < 100 ? fmt::format("{:.2g} s", seconds) : fmt::format("{:.0f} min", seconds / 60);
}

std::string selection(const std::vector<Estimate>& all) {
  if (all.empty()) return {};
  std::string text = fmt::format("selected {}: {}", all[0].name, all[0].reason);
  if (all.size() > 1)
    text += fmt::format(" (estimated {}; {} {})", format_seconds(all[0].seconds), all[1].name,
                        format_seconds(all[1].seconds));
  return text;
}

std::optional<std::string> choice(const Problem& problem, const SolverSpec& spec) {
  const std::string text = selection(candidates(problem, spec));
  return text.empty() ? std::nullopt : std::optional(text);
}

std::string methods_with(const std::string& option) {
  std::vector<std::string> names;
  for (const Recipe& recipe : catalog())
    for (const OptionInfo& info : recipe.options)
      if (info.name == option) names.push_back(recipe.name);
  return fmt::format("{}", fmt::join(names, ", "));
}

std::unique_ptr<Solver> make_auto(const Problem& problem, const SolverSpec& spec, const Start& start) {
  for (const auto& [name, value] : spec.options)
    if (const std::string owners = methods_with(name); name != "costs" && !owners.empty())
      throw InvalidOption(name, value, fmt::format("it is an option of {}; select the method with `solver`", owners));
  read_options<AutoOptions>(spec);
  const std::vector<Estimate> methods = candidates(problem, spec);
  return make_auto_solver(problem, spec, start, methods, selection(methods));
}

}  // namespace

Recipe auto_recipe() {
  return {.name = "auto",
          .summary = "selects the method with the lowest estimated time, and switches if the gap falls too slowly",
          .paper = "ours: estimated times of the methods, and a switch to another method if the estimate is wrong",
          .engine = "auto",
          .cost = "that of the selected method",
          .needs = {},
          .features = {.bounds = true, .l1_factors = true, .unpenalized = true},
          .block_losses = true,
          .exact_nonsmooth = true,
          .resumable = true,
          .options = list_options<AutoOptions>(),
          .unsupported_reason = auto_unsupported,
          .choice = choice,
          .make = make_auto};
}

}  // namespace seesaw
