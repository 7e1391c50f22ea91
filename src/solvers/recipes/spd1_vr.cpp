// SPD1-VR: one primal and one dual coordinate at a time with variance reduction (Tan et al.), sampled as Liu, Wang & So
// propose: uniformly (SPD1-VR-US), by norms (-LIS), by gradient maps (-AIS); and, for sparse data, among the non-zeros.
//
//   paper                       here
//   1/n                         c_i
//   G_x, G_y                    s, z/d
//   sigma/d of phi_i*           sigma_i
//   delta_k, growing            from delta-start to delta over `ramp` passes; by default constant
//   I, J (line 6)               --pools on: nd/log(nd) rows and columns per period; by default every step draws anew
//   y - sigma(...)              the dual step goes up; as printed it diverges or stalls
//   a_ij (y_i - yt_i)           over the probability of i given j, without which it is biased; the same for x
//   (x^0, y^0) = (xt^0, yt^0)   (xt^k, yt^k); as printed every period would restart at the same point
//
// --variance-reduction off is SPD1, the method of Tan et al. without snapshots: steps decrease like 1/t, and so does the
// error.
//
// One step costs O(1), plus two products by A per period of T steps. Smooth losses, nonsmooth ones by smoothing;
// lambda > 0.
#include "solvers/recipes/spd1_vr.h"

#include "seesaw/error.h"
#include "solvers/engines/single_entry.h"
#include "solvers/parts/sampling/adaptive_draws.h"

namespace seesaw {
namespace {

struct Spd1VrOptions : SingleEntrySpec {
  DeltaRamp delta_ramp{.passes = 0};

  void describe(OptionReader& reader) {
    reader.choice(
        "sampling", sampling, {"nonzeros", "norms", "uniform", "adaptive"},
        "how entries are drawn: among the non-zeros (sparse data only), or rows and columns independently, by "
        "norms (the default for dense data), uniformly, or by gradient maps");
    reader.number("step", step, above_zero,
                  "step size, independent of the scale of the data; the largest that converges is between 2 and 8");
    reader.number("epoch-length", epoch_length,
                  {"a number above 0, up to 1000", [](double v) { return v > 0 && v <= 1000; }},
                  "steps between two full gradients, in entries of the data");
    reader.number("delta", delta, from_0_to_1, "fraction of the draws that follow norms or gradient maps");
    delta_ramp.describe(reader);
    reader.number("kappa", kappa, from_zero, "exponent of the gradient maps in the sampling probabilities; 0: uniform");
    reader.on_off("pools", pools, "draw from nd/log(nd) rows and columns that are drawn anew at every full gradient");
    reader.on_off("variance-reduction", variance_reduction,
                  "off: no full gradients and steps that decrease like 1/t (SPD1); for low accuracy");
  }
};

std::unique_ptr<Solver> make_spd1_vr(const Problem& problem, const SolverSpec& spec, const Start& start) {
  auto options = read_options<Spd1VrOptions>(spec);
  options.seed = spec.seed;
  if (problem.data->dense() && options.sampling == EntrySampling::nonzeros) {
    if (spec.options.contains("sampling"))
      throw InvalidOption("sampling", "nonzeros",
                          "it needs sparse data, and this data is dense; use norms, uniform or adaptive");
    options.sampling = EntrySampling::norms;
  }
  if (options.sampling == EntrySampling::nonzeros || options.sampling == EntrySampling::uniform)
    refuse_given(spec, {"delta", "delta-start", "ramp"}, "it needs `sampling` norms or adaptive");
  if (options.sampling != EntrySampling::adaptive) refuse_given(spec, {"kappa"}, "it needs `sampling` adaptive");
  if (options.sampling == EntrySampling::nonzeros && options.pools)
    throw InvalidOption("pools", "on", "it needs `sampling` norms, uniform or adaptive");
  if (options.sampling == EntrySampling::adaptive && !options.variance_reduction)
    throw InvalidOption("variance-reduction", "off",
                        "gradient maps are computed with full gradients; use `sampling` norms or uniform");
  options.delta_ramp.check(spec, options.delta);
  options.delta_start = std::min(options.delta_ramp.start, options.delta);
  options.ramp = options.delta_ramp.passes;
  return make_single_entry(problem, options, start);
}

}  // namespace

Recipe spd1_vr_recipe() {
  return {.name = "spd1-vr",
          .summary = "one entry of the data at a time: a primal and a dual coordinate, with variance reduction",
          .paper = "Liu, Wang & So 2021 (ITOR), Algorithm 3; Tan et al. 2018 (NeurIPS)",
          .engine = "single_entry",
          .cost = "O(1)",
          .needs = {.curvature = Need::lambda},
          .options = list_options<Spd1VrOptions>(),
          .instead = "a smaller `step`, or spdhg, which has no step size option",
          .make = make_spd1_vr};
}

}  // namespace seesaw
