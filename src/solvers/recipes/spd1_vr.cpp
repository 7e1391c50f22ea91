// SPD1-VR: one primal and one dual coordinate at a time with variance reduction (Tan et al.), sampled as Liu, Wang & So
// propose: uniformly (SPD1-VR-US), by norms (-LIS), by gradient maps (-AIS); and, for sparse data, among the non-zeros.
//
//   paper                       here
//   1/n                         c_i
//   G_x, G_y                    s, z/d
//   sigma/d of phi_i*           sigma_i
//   delta_k, growing            delta, constant
//   y - sigma(...)              the dual step goes up; as printed it diverges or stalls
//   a_ij (y_i - yt_i)           over the probability of i given j, without which it is biased; the same for x
//   (x^0, y^0) = (xt^0, yt^0)   (xt^k, yt^k); as printed every period would restart at the same point
//
// One step costs O(1), plus two products by A per period of T steps. Smooth losses, nonsmooth ones by smoothing;
// lambda > 0.
#include "solvers/recipes/spd1_vr.h"

#include "seesaw/error.h"
#include "solvers/engines/single_entry.h"

namespace seesaw {
namespace {

struct Spd1VrOptions : SingleEntrySpec {
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
  }
};

std::unique_ptr<Solver> make(const Problem& problem, const SolverSpec& spec, const Start& start) {
  auto options = read_options<Spd1VrOptions>(spec);
  options.seed = spec.seed;
  if (problem.data->dense() && options.sampling == EntrySampling::nonzeros) {
    if (spec.options.contains("sampling"))
      throw InvalidOption("sampling", "nonzeros",
                          "it needs sparse data, and this data is dense; use norms, uniform or adaptive");
    options.sampling = EntrySampling::norms;
  }
  if (options.sampling == EntrySampling::nonzeros || options.sampling == EntrySampling::uniform)
    refuse_given(spec, {"delta"}, "it needs `sampling` norms or adaptive");
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
          .make = make};
}

}  // namespace seesaw
