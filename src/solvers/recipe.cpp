#include "solvers/recipe.h"

#include <fmt/format.h>

namespace seesaw {

std::string describe(const Needs& needs) {
  std::string text;
  const auto add = [&](const char* need) { text += (text.empty() ? "" : ", ") + std::string(need); };
  if (needs.strongly_convex_penalty) add("lambda > 0");
  if (needs.smooth_loss) add("a smooth loss");
  if (needs.penalty_or_smooth_loss) add("a penalty or a smooth loss");
  if (needs.lambda_or_smooth_loss) add("lambda > 0 or a smooth loss");
  return text.empty() ? "nothing special" : text;
}

std::optional<std::string> missing(const Recipe& recipe, const Problem& problem) {
  if (problem.block_loss && !recipe.block_losses)
    return fmt::format("a loss of one score, and {} scores all classes at once", problem.kind->name);
  if (recipe.needs.strongly_convex_penalty && strong_convexity(problem.regularizer) == 0)
    return fmt::format("a strongly convex penalty, and here lambda = 0 (--reg {})", name_of(problem.regularizer));
  if (recipe.needs.smooth_loss && problem.gamma() == 0)
    return fmt::format("a smooth loss, and {} has a kink", problem.kind->name);
  if (recipe.needs.penalty_or_smooth_loss && std::holds_alternative<None>(problem.regularizer) && problem.gamma() == 0)
    return fmt::format("a penalty or a loss without kinks, and here there are neither (--reg none, {})",
                       problem.kind->name);
  if (recipe.needs.lambda_or_smooth_loss && strong_convexity(problem.regularizer) == 0 && problem.gamma() == 0)
    return fmt::format("lambda > 0 or a loss without kinks, and here there are neither (--reg {}, {})",
                       name_of(problem.regularizer), problem.kind->name);
  if (recipe.lacks != nullptr && problem.data != nullptr) return recipe.lacks(problem);
  return std::nullopt;
}

}  // namespace seesaw
