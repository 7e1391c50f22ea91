// SPDC: the stochastic primal-dual coordinate method (Zhang & Xiao), rows drawn uniformly, b at a time.
//
//   paper          here
//   phi_i*, g      the same; the problem is L(x, y) of docs/notation.md
//   m (batch)      b; n is the number of rows that are not empty
//   u              s = sum_i c_i y_i a_i
//
// With --mu the steps are those of Wang & Xiao 2017, Theorem 2, for this strong convexity of P (curved_steps.h).
//
// One step costs O(nnz(a_i)). Smooth losses, nonsmooth ones by smoothing; lambda > 0.
#include "solvers/recipes/spdc.h"

#include "solvers/engines/primal_dual.h"
#include "solvers/named_number.h"
#include "solvers/parts/sampling/uniform_draws.h"
#include "solvers/parts/steps/curved_steps.h"
#include "solvers/parts/steps/spdc_steps.h"
#include "solvers/parts/steps/strong_convexity.h"

namespace seesaw {
namespace {

struct SpdcOptions {
  Draw draw = Draw::permutation;
  std::size_t batch = 1;
  double step_constant = 2;
  StrongConvexity mu;

  void describe(OptionReader& reader) {
    describe_draw(reader, draw);
    reader.count("batch", batch, "rows per step; above 1 a new set of distinct rows per step");
    reader.number("step-constant", step_constant, above_zero,
                  "c of tau, sigma ~ 1/(c R): larger values give smaller, safer steps");
    mu.describe(reader, "steps");
  }
};

class UniformSteps final : public StepRule {
 public:
  UniformSteps(const Problem& problem, const SpdcOptions& options, const SolverSpec& spec)
      : StepRule(problem), options_(options), delta_(problem.is_scalar() ? delta_of(problem.scalar().loss) : 0) {
    Delta_ = facts.m * (options.mu.value(problem, spec, facts.bias_entry) - facts.lambda);
    const Rng rng(spec.seed);
    sampler = uniform_sampler(facts, options.draw, options.batch, rng);
  }

  Steps steps(double gamma) override {
    const SpdcSteps spdc = options_.mu.mu == Mu::lambda
                               ? spdc_steps(facts.largest, facts.m, static_cast<double>(options_.batch), facts.lambda,
                                            gamma, options_.step_constant)
                               : curved_steps({facts.m, facts.largest, facts.lambda, gamma, delta_}, Delta_,
                                              DualStep::euclidean, options_.step_constant);
    return {{spdc.tau}, {spdc.theta}, {spdc.sigma}, uniform_weights(facts, options_.batch)};
  }

 private:
  SpdcOptions options_;
  double delta_;      // of the loss
  double Delta_ = 0;  // n times what --mu adds to lambda
};

std::unique_ptr<Solver> make_spdc(const Problem& problem, const SolverSpec& spec, const Start& start) {
  const auto options = read_options<SpdcOptions>(name_numbers(spec, {"mu"}));
  refuse_draw_of_batches(spec, options.batch);
  if (options.batch > 1 && options.mu.mu != Mu::lambda)
    throw InvalidOption("mu", spec.options.at("mu"), "its steps are for single rows; use `batch` 1, or omit it");
  auto rule = std::make_unique<UniformSteps>(problem, options, spec);
  refuse_large_batch(options.batch, rule->facts.drawable.size());
  return make_primal_dual(problem, {.rule = std::move(rule), .batch = options.batch}, start);
}

}  // namespace

Recipe spdc_recipe() {
  return {.name = "spdc",
          .summary = "stochastic primal-dual coordinate method: proximal steps on y_i and x, x extrapolated",
          .paper = "Zhang & Xiao 2017 (JMLR 18), Algorithm 1; --mu: Wang & Xiao 2017 (ICML), Theorem 2",
          .engine = "primal_dual",
          .cost = "O(nnz(a_i))",
          .needs = {.curvature = Need::lambda},
          .features = {.bounds = true, .l1_factors = true},
          .block_losses = true,
          .options = list_options<SpdcOptions>(),
          .make = make_spdc};
}

}  // namespace seesaw
