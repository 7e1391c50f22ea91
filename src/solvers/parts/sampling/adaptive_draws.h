// Sampling in proportion to the last moves of the variables: the options of SPDC-AIS and related methods, and the
// sampler they describe.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "sampling/adaptive.h"
#include "sampling/ramped.h"
#include "solvers/named_number.h"

namespace seesaw {

// The fraction delta_t of the draws that follow norms or step sizes: it increases step by step.
struct DeltaRamp {
  double start = 0.2, passes = 20;

  void describe(OptionReader& reader) {
    reader.number("delta-start", start, from_0_to_1,
                  "fraction in the beginning, from where it increases linearly; at most delta");
    reader.number("ramp", passes, {"a number in [0, 1e9]", [](double v) { return v >= 0 && v <= 1e9; }},
                  "passes until delta is reached; 0: from the start");
  }
  void check(const SolverSpec& spec, double delta) const {  // throws for a `delta-start` above delta, or ignored
    if (passes == 0) refuse_given(spec, {"delta-start"}, "it needs `ramp` above 0");
    if (start > delta) refuse_given(spec, {"delta-start"}, fmt::format("it must be at most `delta`, {}", delta));
  }
  Ramp to(double delta, double draws_per_pass) const {
    return {std::min(start, delta), delta, static_cast<std::uint64_t>(passes * draws_per_pass)};
  }
};

struct AdaptiveDraws {
  double kappa = 0.5, delta = 0.8;
  DeltaRamp ramp;
  bool clip = true;

  void describe(OptionReader& reader) {
    reader.number("kappa", kappa, from_zero, "exponent of the step sizes in the sampling probabilities; 0: uniform");
    reader.number("delta", delta, from_0_to_1, "final fraction of the draws that follow the step sizes");
    ramp.describe(reader);
    reader.on_off("clip", clip, "clip steps that are too long for the current probability");
  }

  std::unique_ptr<Sampler> sampler(const std::vector<std::uint32_t>& listed, double draws_per_pass, Rng rng) const {
    const auto [begin, end, draws] = ramp.to(delta, draws_per_pass);
    return std::make_unique<AdaptiveSampler>(listed, Adaptivity{begin, end, draws, kappa}, rng);
  }
};

}  // namespace seesaw
