#include "solvers/recipe.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "data/extents.h"
#include "model/penalty/unpenalized.h"
#include "seesaw/error.h"
#include "solvers/named_number.h"
#include "solvers/parts/dual/mixed_groups.h"

namespace seesaw {

namespace {

std::string_view in_words(Need need) {
  switch (need) {
    case Need::nothing:
      return "";
    case Need::lambda:
      return "lambda > 0";
    case Need::lambda_or_strongly_convex_loss:
      return "lambda > 0 or a strongly convex loss";
    case Need::lambda_or_smooth_loss:
      return "lambda > 0 or a smooth loss";
    case Need::penalty_or_smooth_loss:
      return "a penalty or a smooth loss";
    case Need::l1:
      return "l1 > 0";
  }
  return {};
}

bool met(Need need, const Problem& problem) {
  const bool lambda = problem.penalty.l2() > 0, smooth = problem.gamma() > 0;
  switch (need) {
    case Need::nothing:
      return true;
    case Need::lambda:
      return lambda;
    case Need::lambda_or_strongly_convex_loss:
      return lambda || (problem.is_scalar() && delta_of(problem.scalar().loss) > 0);
    case Need::lambda_or_smooth_loss:
      return lambda || smooth;
    case Need::penalty_or_smooth_loss:
      return !problem.penalty.none() || smooth;
    case Need::l1:
      return problem.penalty.l1() > 0;
  }
  return false;
}

std::optional<std::string> unsupported_features(const Recipe& recipe, const Problem& problem) {
  const Penalty& penalty = problem.penalty;
  if (penalty.uniform()) return std::nullopt;
  if (penalty.has_bounds() && !recipe.features.bounds) return "coefficients without bounds";
  if (!penalty.has_factors()) return std::nullopt;
  const std::vector<double>& factors = penalty.features().l1_factor;
  if (std::find(factors.begin(), factors.end(), 0.0) != factors.end() && !recipe.features.unpenalized &&
      !(recipe.features.l1_factors && penalty.l2() == 0))
    return "penalty factors above 0";
  // Without a penalty y must be orthogonal to the column, and a nonsmooth loss bounds it at the same time.
  if (recipe.features.unpenalized && problem.gamma() == 0 && !unpenalized_features(penalty, problem.d()).empty())
    return "penalty factors above 0 with a nonsmooth loss";
  if (penalty.l2() > 0 && penalty.l1() > 0 && !recipe.features.l1_factors)
    return "equal penalty factors with an elastic net";
  return std::nullopt;
}

}  // namespace

void refuse_given(const SolverSpec& spec, std::initializer_list<const char*> names, const std::string& why) {
  for (const char* name : names)
    if (const auto given = spec.options.find(name); given != spec.options.end())
      throw InvalidOption(given->first, given->second, why);
}

std::string describe(const Needs& needs) {
  std::string text(in_words(needs.curvature));
  const auto add = [&](std::string_view need) { text.append(text.empty() || need.empty() ? "" : ", ").append(need); };
  if (needs.smooth_loss) add("a smooth loss");
  if (needs.nonsmooth_loss) add("a nonsmooth loss");
  if (needs.quadratic_dual) add("a loss with a piecewise quadratic conjugate (all but logistic)");
  if (needs.no_l1) add("a penalty without l1");
  add(needs.of_numbers);
  return text.empty() ? "nothing" : text;
}

namespace {

// Engines that use the rows in their order, or a selection of them in memory: these support rows on disk.
bool reads_rows_in_order(const Recipe& recipe) {
  constexpr std::array engines = {"newton", "lbfgs", "semismooth_newton", "working_set", "auto"};
  return std::find(engines.begin(), engines.end(), recipe.engine) != engines.end();
}

std::optional<std::string> unsupported_on_disk(const Recipe& recipe, const Problem& problem) {
  const Extents* const extents = extents_of(problem.data->rows);
  if (extents == nullptr || reads_rows_in_order(recipe)) return std::nullopt;
  if (recipe.name != "sdca") return "the rows in memory, since it visits them in random order, and they are on disk";
  if (problem.is_block()) return "the rows in memory for a loss of all classes, and they are on disk";
  if (groups_within_memory(*extents) == 0) return "more memory: about a sixteenth of the rows, and at least 12 MB";
  return std::nullopt;
}

}  // namespace

std::optional<std::string> missing(const Recipe& recipe, const Problem& problem) {
  if (problem.data != nullptr)
    if (auto reason = unsupported_on_disk(recipe, problem)) return reason;
  if (problem.is_block() && !recipe.block_losses)
    return fmt::format("a scalar loss, and {} is a loss of all classes", problem.kind->name);
  if (problem.is_block() && problem.penalty.l2() == 0)  // there is no certificate without lambda
    return fmt::format("lambda > 0 for {}", problem.kind->name);
  if (!met(recipe.needs.curvature, problem))
    return fmt::format("{}, and the problem has `penalty` {} with the loss {}", in_words(recipe.needs.curvature),
                       problem.penalty.name(), problem.kind->name);
  if (recipe.needs.smooth_loss && problem.gamma() == 0)
    return fmt::format("a smooth loss, and {} is nonsmooth", problem.kind->name);
  if (recipe.needs.nonsmooth_loss && problem.gamma() > 0)
    return fmt::format("a nonsmooth loss, and {} is smooth", problem.kind->name);
  if (recipe.needs.quadratic_dual && problem.is_scalar() &&
      !std::holds_alternative<PiecewiseQuadratic>(problem.scalar().loss))
    return fmt::format("a loss with a piecewise quadratic conjugate, and that of {} is not", problem.kind->name);
  if (recipe.needs.no_l1 && problem.penalty.l1() > 0)
    return fmt::format("a penalty without l1, and the problem has `penalty` {}", problem.penalty.name());
  if (auto reason = unsupported_features(recipe, problem)) return reason;
  if (recipe.unsupported_reason != nullptr && problem.data != nullptr) return recipe.unsupported_reason(problem);
  return std::nullopt;
}

std::optional<std::string> missing(const Recipe& recipe, const Problem& problem, const SolverSpec& spec) {
  const bool given = recipe.needs.curvature == Need::lambda_or_strongly_convex_loss && given_number(spec, "mu");
  if (!given) return missing(recipe, problem);
  Recipe with_mu = recipe;
  with_mu.needs.curvature = Need::lambda_or_smooth_loss;
  with_mu.unsupported_reason = nullptr;
  return missing(with_mu, problem);
}

}  // namespace seesaw
