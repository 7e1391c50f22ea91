#include "solvers/supported.h"

#include "model/problem_kind.h"
#include "solvers/catalog.h"

namespace seesaw {

std::vector<std::string> methods_for(const LossKind& kind, double lambda, double l1) {
  const Problem problem = problem_of_kind(kind, lambda, l1);
  std::vector<std::string> names;
  bool any = false;  // `auto` supports what some other method supports
  for (const Recipe& recipe : catalog()) {
    if (missing(recipe, problem)) continue;
    names.push_back(recipe.name);
    any = any || recipe.name != default_solver;
  }
  return any ? names : std::vector<std::string>{};
}

}  // namespace seesaw
