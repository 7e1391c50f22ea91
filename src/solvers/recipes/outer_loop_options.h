// The options that methods with an outer loop share.
#pragma once

#include "seesaw/error.h"
#include "solvers/parts/proximal_point.h"
#include "solvers/recipe.h"

namespace seesaw {

struct OuterLoopOptions {
  Draw draw = Draw::permutation;
  ProximalPointSpec loop;

  void describe(OptionReader& reader, const OptionReader::Allowed& factors) {
    describe_draw(reader, draw);
    reader.number("kappa", loop.K, factors,
                  "K of the outer loop's kappa = K R^2/(gamma n) - lambda: a larger one makes its problems easier");
    reader.count("inner-passes", loop.inner_passes, "passes over each problem of the outer loop");
    reader.on_off("momentum", loop.momentum, "the centre of the outer loop goes beyond x, along the way x went");
    reader.on_off("restart", loop.restart, "no momentum in a step where it went against the gradient");
  }
};

inline void refuse_restart_without_momentum(const ProximalPointSpec& loop, const SolverSpec& spec) {
  if (const auto given = spec.options.find("restart");
      given != spec.options.end() && given->second == "on" && !loop.momentum)
    throw InvalidOption("restart", "on", "there is no momentum to restart; it goes with `momentum` on");
}

}  // namespace seesaw
