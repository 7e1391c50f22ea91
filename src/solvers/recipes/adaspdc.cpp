// AdaSPDC (Zhu & Storkey, Algorithm 1): SPDC with steps computed from the norms of the drawn blocks.
//
//     sigma_i = sqrt(n lambda/(b gamma))/(c R_i)       c = 2
//     tau, theta as in SPDC with R = the largest norm in the batch
//                (or the mean: also valid for a fixed batch, and fewer passes for large batches)
//
// R_i is the spectral norm of the block A_i: |a_i|, also for K scores, since A_i = a_i x I_K. The theorem of the paper is
// false as printed: its Lyapunov function does not telescope when tau varies, and for very different row norms
// (largest/mean above 8 to 22) the method diverges. The run then ends as `diverged`.
#include "solvers/recipes/adaspdc.h"

#include "solvers/engines/primal_dual.h"
#include "solvers/parts/sampling/uniform_draws.h"
#include "solvers/parts/steps/spdc_steps.h"

namespace seesaw {
namespace {

struct AdaSpdcOptions {
  Draw draw = Draw::permutation;
  std::size_t batch = 1;
  BatchNorm batch_norm = BatchNorm::largest;
  double step_constant = 2;

  void describe(OptionReader& reader) {
    describe_draw(reader, draw);
    reader.count("batch", batch, "rows per step; above 1 a new set of distinct rows per step");
    reader.choice("batch-norm", batch_norm, {"largest", "mean"}, "norm of a batch that determines the steps of x");
    reader.number("step-constant", step_constant, above_zero,
                  "c of tau, sigma_i ~ 1/(c R_i): larger values give smaller, safer steps");
  }
};

class StepsOfDrawnRows final : public StepRule {
 public:
  StepsOfDrawnRows(const Problem& problem, const AdaSpdcOptions& options, Rng rng)
      : StepRule(problem), options_(options) {
    sampler = uniform_sampler(facts, options.draw, options.batch, rng);
  }

  Steps steps(double gamma) override {
    Steps steps{std::vector<double>(facts.n), std::vector<double>(facts.n), std::vector<double>(facts.n),
                uniform_weights(facts, options_.batch)};
    for (std::uint32_t i : facts.drawable) {
      const SpdcSteps own = spdc_steps(facts.norm[i], facts.m, static_cast<double>(options_.batch), facts.lambda, gamma,
                                       options_.step_constant);
      steps.tau[i] = own.tau;
      steps.theta[i] = own.theta;
      steps.sigma[i] = own.sigma;
    }
    return steps;
  }

 private:
  AdaSpdcOptions options_;
};

std::unique_ptr<Solver> make_adaspdc(const Problem& problem, const SolverSpec& spec, const Start& start) {
  const auto options = read_options<AdaSpdcOptions>(spec);
  refuse_draw_of_batches(spec, options.batch);
  auto rule = std::make_unique<StepsOfDrawnRows>(problem, options, Rng(spec.seed));
  refuse_large_batch(options.batch, rule->facts.drawable.size());
  return make_primal_dual(problem, {.rule = std::move(rule), .batch = options.batch, .batch_norm = options.batch_norm},
                          start);
}

}  // namespace

Recipe adaspdc_recipe() {
  return {.name = "adaspdc",
          .summary = "SPDC with step sizes computed from the norms of the drawn rows",
          .paper = "Zhu & Storkey 2015 (ECML), Algorithm 1",
          .engine = "primal_dual",
          .cost = "O(nnz(a_i))",
          .needs = {.curvature = Need::lambda},
          .features = {.bounds = true, .l1_factors = true},
          .block_losses = true,
          .options = list_options<AdaSpdcOptions>(),
          .instead = "spdhg, whose steps and probabilities account for different row norms",
          .make = make_adaspdc};
}

}  // namespace seesaw
