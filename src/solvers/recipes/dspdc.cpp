// DSPDC (Yu, Lin & Yang) with the samplings of Liu, Wang & So, Algorithm 2: one row and one column per step.
//
//   paper                  here
//   p_i, q_j               probabilities of rows and columns; n, d count those that are not empty (m, k)
//   <A^j, ybar>/n          s_j + (c_i/p_i) dy a_ij: ybar = y + dy/p_i, which the paper prints as y' + n dy
//   argmax (x-step)        a misprint for argmin: the proximal step
//   pi_i, psi_j            m p_i dy/sigma, k q_j dx/tau (the paper halves both, which changes no probability)
//
//   uniform    p = 1/m, q = 1/k                                                                         (DSPDC-US)
//   norms      p_i = (1 - delta_t)/m + delta_t R_i/sum R, q_j = (1 - delta_t)/k + delta_t C_j/sum C,
//              R_i and C_j the norms of rows and columns (1/k where the paper prints 1/n)               (DSPDC-LIS)
//   adaptive   the same with |pi_i|^kappa and |psi_j|^kappa of the last step                            (DSPDC-AIS)
//
// delta_t increases from delta-start to delta over `ramp` passes, step by step. One step costs O(nnz(a_i) + nnz(A^j)), plus O(log n + log d)
// if adaptive. Smooth losses, nonsmooth ones by smoothing; lambda > 0.
//
// `--step` multiplies tau and sigma. The paper's 1 is proved and slow; 1.5 converged in all our tests. With entries of
// equal size 2 is too large (one column of ones, or signs), while data with different entries converge with 8 (a2a) to
// 32 (decaying columns), in proportionally fewer passes.
#include "solvers/recipes/dspdc.h"

#include "sampling/ramped.h"
#include "sampling/uniform.h"
#include "solvers/engines/doubly_stochastic.h"
#include "solvers/parts/sampling/adaptive_draws.h"

namespace seesaw {
namespace {

enum class Sampling { uniform, norms, adaptive };

struct DspdcOptions {
  Sampling sampling = Sampling::uniform;
  double step = 1.5;
  ColumnExtrapolation extrapolation = ColumnExtrapolation::plain;
  AdaptiveDraws draws;

  void describe(OptionReader& reader) {
    reader.choice("sampling", sampling, {"uniform", "norms", "adaptive"},
                  "how rows and columns are drawn: uniformly, by their norms, or by the size of their last moves");
    reader.number("step", step, above_zero, "factor of both step sizes; larger ones are faster until they diverge");
    reader.choice("extrapolation", extrapolation, {"plain", "unbiased"},
                  "of the moved coordinate: by theta, or by theta over its probability as in the proof");
    draws.describe(reader);
  }
};

std::unique_ptr<Sampler> sampler_of(const std::vector<std::uint32_t>& listed, const std::vector<double>& norm,
                                    double draws_per_pass, const DspdcOptions& options, Rng rng) {
  if (listed.empty() || options.sampling == Sampling::uniform) return std::make_unique<UniformSampler>(listed, rng);
  if (options.sampling == Sampling::adaptive) return options.draws.sampler(listed, draws_per_pass, rng);
  std::vector<double> weights;
  for (std::uint32_t index : listed) weights.push_back(norm[index]);
  return std::make_unique<RampedSampler>(listed, weights, options.draws.ramp.to(options.draws.delta, draws_per_pass),
                                         rng);
}

std::unique_ptr<Solver> make_dspdc(const Problem& problem, const SolverSpec& spec, const Start& start) {
  const auto options = read_options<DspdcOptions>(spec);
  if (options.sampling == Sampling::uniform)
    refuse_given(spec, {"delta", "delta-start", "ramp"}, "it needs `sampling` norms or adaptive");
  if (options.sampling != Sampling::adaptive) refuse_given(spec, {"kappa", "clip"}, "it needs `sampling` adaptive");
  options.draws.ramp.check(spec, options.draws.delta);
  const RowFacts rows(problem);
  const ColumnFacts columns(problem, rows);
  const auto draws = static_cast<double>(steps_per_pass(rows, columns));
  auto row_sampler = sampler_of(rows.drawable, rows.norm, draws, options, Rng(spec.seed, 0));
  auto column_sampler = sampler_of(columns.drawable, columns.norm, draws, options, Rng(spec.seed, 1));
  return make_doubly_stochastic(problem,
                                {.row_facts = rows,
                                 .column_facts = columns,
                                 .rows = std::move(row_sampler),
                                 .columns = std::move(column_sampler),
                                 .factor = options.step,
                                 .extrapolation = options.extrapolation,
                                 .clip = options.sampling == Sampling::adaptive && options.draws.clip},
                                start);
}

}  // namespace

Recipe dspdc_recipe() {
  return {.name = "dspdc",
          .summary = "doubly stochastic: one row and one column per step, drawn uniformly, by norms or adaptively",
          .paper = "Liu, Wang & So 2021 (ITOR), Algorithm 2; Yu, Lin & Yang 2015",
          .engine = "doubly_stochastic",
          .cost = "O(nnz(a_i) + nnz(A^j))",
          .needs = {.curvature = Need::lambda},
          .options = list_options<DspdcOptions>(),
          .instead = "a smaller `step`, or spdhg, which has no step size option and needs far fewer passes",
          .make = make_dspdc};
}

}  // namespace seesaw
