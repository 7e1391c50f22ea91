// The common options of methods with an outer loop.
#pragma once

#include "seesaw/error.h"
#include "solvers/parts/dual/proximal_point.h"
#include "solvers/recipe.h"

namespace seesaw {

struct OuterLoopOptions {
  Draw draw = Draw::permutation;
  ProximalPointSpec loop;

  void describe(OptionReader& reader, const OptionReader::Allowed& factors) {
    describe_draw(reader, draw);
    reader.number(
        "kappa", loop.K, factors,
        "K of the outer loop's kappa = K R^2/(gamma n) - lambda: larger values give better conditioned inner problems");
    reader.count("inner-passes", loop.inner_passes, "passes per step of the outer loop");
    reader.on_off("momentum", loop.momentum,
                  "extrapolation of the outer loop's center: center = x + beta (x - x_prev)");
    reader.on_off("restart", loop.restart, "set the momentum to 0 in steps where it goes against the gradient");
  }
};

inline void refuse_restart_without_momentum(const ProximalPointSpec& loop, const SolverSpec& spec) {
  if (const auto given = spec.options.find("restart");
      given != spec.options.end() && given->second == "on" && !loop.momentum)
    throw InvalidOption("restart", "on", "it needs `momentum` on");
}

}  // namespace seesaw
