#include "seesaw/saddle.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "seesaw/error.h"
#include "solvers/saddle/iteration.h"

namespace seesaw::saddle {
namespace {

// With values: x of the lowest P and y of the highest D so far. Otherwise the current point.
void update(Result& best, const Sizes& now, const Iteration& at, double tolerance) {
  const bool has_gap = !std::isnan(now.gap);
  if (!has_gap || !(now.primal >= best.primal)) {
    best.x = at.x();
    best.primal = now.primal;
  }
  if (!has_gap || !(now.dual <= best.dual)) {
    best.y = at.y();
    best.dual = now.dual;
  }
  best.gap = best.primal - best.dual;
  best.primal_residual = now.primal_residual;
  best.dual_residual = now.dual_residual;
  best.converged = has_gap ? best.gap <= tolerance * std::max(1.0, std::abs(best.primal))
                           : std::max(now.primal_residual, now.dual_residual) <= tolerance;
}

void require_not_negative(const char* name, double value) {
  if (!(value >= 0)) throw InvalidOption(name, fmt::format("{}", value), "it must be a number that is not negative");
}

}  // namespace

Result solve(const Problem& problem, const Settings& settings) {
  require_not_negative("gap", settings.gap);
  require_not_negative("max_passes", settings.max_passes);
  require_not_negative("perturb_primal", settings.perturb_primal);
  require_not_negative("perturb_dual", settings.perturb_dual);
  if (problem.blocks() == 0) throw Error("a saddle problem needs at least one block.");
  Iteration iteration(problem, settings);
  Result best;
  double passes = 0, next_check = 0;
  for (;;) {
    if (passes >= next_check) {
      update(best, iteration.measure(), iteration, settings.gap);
      best.passes = passes;
      iteration.restart(std::isnan(best.gap) ? std::max(best.primal_residual, best.dual_residual) : best.gap);
      if (best.converged || passes >= settings.max_passes || (settings.should_stop && settings.should_stop()))
        return best;
      next_check = std::min(passes + std::max(1.0, std::floor(0.05 * passes)), settings.max_passes);
    }
    iteration.pass();
    passes += 1;
  }
}

}  // namespace seesaw::saddle
