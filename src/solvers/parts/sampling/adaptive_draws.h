// Sampling in proportion to the last moves of the variables: the options of SPDC-AIS and related methods, and the
// sampler they describe.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "sampling/adaptive.h"
#include "solvers/options.h"

namespace seesaw {

struct AdaptiveDraws {
  double kappa = 0.5, delta = 0.8, ramp = 20;
  bool clip = true;

  void describe(OptionReader& reader) {
    reader.number("kappa", kappa, above_zero, "exponent of the step sizes in the sampling probabilities");
    reader.number("delta", delta, from_0_to_1, "final fraction of the draws that follow the step sizes");
    reader.number("ramp", ramp, {"a number above 0, up to 1e9", [](double v) { return v > 0 && v <= 1e9; }},
                  "passes until delta is reached");
    reader.on_off("clip", clip, "clip steps that are too long for the current probability");
  }

  double delta_begin() const { return std::min(0.2, delta); }

  std::unique_ptr<Sampler> sampler(const std::vector<std::uint32_t>& listed, double draws_per_pass, Rng rng) const {
    return std::make_unique<AdaptiveSampler>(listed,
                                             Adaptivity{.delta_begin = delta_begin(),
                                                        .delta_end = delta,
                                                        .ramp = static_cast<std::uint64_t>(ramp * draws_per_pass),
                                                        .kappa = kappa},
                                             rng);
  }
};

}  // namespace seesaw
