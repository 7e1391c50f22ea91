// SPDC with rows drawn by importance, one at a time. Row i has probability p_i, the dual step sigma/(n p_i) and the
// weight 1/(n p_i) (with weights: c_i/p_i).
//
//   spdc-nu   p_i = (1 - alpha)/n + alpha R_i/sum R, alpha = 1/2 (Zhang & Xiao 2017, section 5):
//             tau, sigma = (alpha/(2 Rmean)) (square roots of SPDC),
//             theta = 1 - 1/(n/(1-alpha) + (Rmean/alpha) sqrt(n/(lambda gamma)))
//   spdc-lis  p_i = (1 - delta)/n + delta R_i/sum R, delta = 0.8, SPDC's own steps (Liu, Wang & So 2021, "LIS")
//   spdc-ais  p_i = (1 - delta_t)/n + delta_t h_i/sum h, h_i = |pi_i|^kappa, pi_i = (n p_i/sigma) dy_i of the last draw
//             of i, delta_t increasing from 0.2 to delta over `ramp` passes (Algorithm 1, "AIS")
//
// The steps of theorem 1 are SPDC's times (1 - delta): five times smaller, which costs more than the sampling gains
// (measured: 2 to 5 times the passes of spdc). Those of theorem 2 are SPDC's; they need up-to-date probabilities, and
// stall without the clip  sigma_i <= p_i/(4 tau c_i |a_i|^2).
#include "solvers/recipes/spdc_sampled.h"

#include <algorithm>
#include <cmath>

#include "sampling/importance.h"
#include "solvers/engines/primal_dual.h"
#include "solvers/parts/sampling/adaptive_draws.h"
#include "solvers/parts/steps/spdc_steps.h"

namespace seesaw {
namespace {

enum class Theorem { one, two };

void describe_theorem(OptionReader& reader, Theorem& theorem) {
  reader.choice("steps", theorem, {"theorem1", "theorem2"}, "step sizes of SPDC times 1 - delta, or those of SPDC");
}

// The steps of both theorems for the largest norm.
SpdcSteps steps_of(Theorem theorem, const RowFacts& facts, double gamma, double delta) {
  SpdcSteps steps = spdc_steps(facts.largest, facts.m, 1, facts.lambda, gamma);
  if (theorem == Theorem::two) return steps;
  steps.tau *= 1 - delta;
  steps.sigma *= 1 - delta;
  const double growth = 2 * facts.lambda * steps.tau;
  steps.theta = 1 - std::min(growth / (1 + growth), 1 / (facts.m / (steps.sigma * gamma) + facts.m / (1 - delta)));
  return steps;
}

// Dual steps and weights of rows drawn with the probabilities of the sampler.
Steps spread(const RowFacts& facts, const SpdcSteps& spdc, const Sampler& sampler) {
  Steps steps{{spdc.tau}, {spdc.theta}, std::vector<double>(facts.n), std::vector<double>(facts.n)};
  for (std::uint32_t i : facts.drawable) {
    const double p = sampler.probability(i);
    steps.sigma[i] = spdc.sigma * (1 / facts.m / p);
    steps.weight[i] = facts.normalized_weight[i] / p;
  }
  return steps;
}

// (1 - delta)/m + delta R_i/sum R
std::unique_ptr<Sampler> by_norms(const RowFacts& facts, double delta, Rng rng) {
  std::vector<double> probability;
  for (std::uint32_t i : facts.drawable)
    probability.push_back((1 - delta + delta * facts.norm[i] / facts.mean) / facts.m);
  return std::make_unique<AliasSampler>(facts.drawable, probability, rng);
}

class NonUniform final : public StepRule {
 public:
  NonUniform(const Problem& problem, double alpha, Rng rng) : StepRule(problem), alpha_(alpha) {
    sampler = by_norms(facts, alpha, rng);
  }
  Steps steps(double gamma) override {
    SpdcSteps spdc = spdc_steps(facts.mean / alpha_, facts.m, 1, facts.lambda, gamma);
    spdc.theta = 1 - 1 / (facts.m / (1 - alpha_) + facts.mean / alpha_ * std::sqrt(facts.m / (facts.lambda * gamma)));
    return spread(facts, spdc, *sampler);
  }

 private:
  double alpha_;
};

class LipschitzSampling final : public StepRule {
 public:
  LipschitzSampling(const Problem& problem, Theorem theorem, double delta, Rng rng)
      : StepRule(problem), theorem_(theorem), delta_(delta) {
    sampler = by_norms(facts, delta, rng);
  }
  Steps steps(double gamma) override { return spread(facts, steps_of(theorem_, facts, gamma, delta_), *sampler); }

 private:
  Theorem theorem_;
  double delta_;
};

struct AisOptions {
  Theorem theorem = Theorem::two;
  AdaptiveDraws draws;

  void describe(OptionReader& reader) {
    describe_theorem(reader, theorem);
    draws.describe(reader);
  }
};

class AdaptiveSampling final : public StepRule {
 public:
  AdaptiveSampling(const Problem& problem, const AisOptions& options, Rng rng) : StepRule(problem), options_(options) {
    sampler = options.draws.sampler(facts.drawable, static_cast<double>(facts.n), rng);
  }

  Steps steps(double gamma) override {
    spdc_ = steps_of(options_.theorem, facts, gamma, options_.draws.delta);
    return spread(facts, spdc_, *sampler);
  }

  bool changes_at_draws() const override { return true; }
  std::pair<double, double> at_draw(std::uint32_t i) const override {
    const double p = sampler->probability(i);
    double sigma = spdc_.sigma * (1 / facts.m / p);
    if (options_.draws.clip) {
      const double longest = p / (4 * spdc_.tau * facts.normalized_weight[i] * facts.square[i]);
      if (sigma > longest * (1 + 1e-9)) sigma = longest;
    }
    return {sigma, facts.normalized_weight[i] / p};
  }

  bool uses_moves() const override { return true; }
  void moved(std::uint32_t row, double size) override {
    sampler->feedback(row, size * (facts.m * sampler->probability(row) / spdc_.sigma));
  }

 private:
  AisOptions options_;
  SpdcSteps spdc_{};
};

struct NuOptions {
  double alpha = 0.5;
  void describe(OptionReader& reader) {
    reader.number("alpha", alpha, between_0_and_1, "fraction of the probabilities that follows the norms");
  }
};

struct LisOptions {
  Theorem theorem = Theorem::two;
  double delta = 0.8;
  void describe(OptionReader& reader) {
    describe_theorem(reader, theorem);
    reader.number("delta", delta, from_0_to_1, "fraction of the probabilities that follows the norms");
  }
};

std::unique_ptr<Solver> make_nu(const Problem& problem, const SolverSpec& spec, const Start& start) {
  const auto options = read_options<NuOptions>(spec);
  return make_primal_dual(problem, {.rule = std::make_unique<NonUniform>(problem, options.alpha, Rng(spec.seed))},
                          start);
}

std::unique_ptr<Solver> make_lis(const Problem& problem, const SolverSpec& spec, const Start& start) {
  const auto options = read_options<LisOptions>(spec);
  auto rule = std::make_unique<LipschitzSampling>(problem, options.theorem, options.delta, Rng(spec.seed));
  return make_primal_dual(problem, {.rule = std::move(rule)}, start);
}

std::unique_ptr<Solver> make_ais(const Problem& problem, const SolverSpec& spec, const Start& start) {
  const auto options = read_options<AisOptions>(spec);
  return make_primal_dual(problem, {.rule = std::make_unique<AdaptiveSampling>(problem, options, Rng(spec.seed))},
                          start);
}

Recipe sampled(std::string name, std::string summary, std::string paper, std::string cost,
               std::vector<OptionInfo> options, decltype(Recipe::make) make) {
  return {.name = std::move(name),
          .summary = std::move(summary),
          .paper = std::move(paper),
          .engine = "primal_dual",
          .cost = std::move(cost),
          .needs = {.curvature = Need::lambda},
          .block_losses = true,
          .options = std::move(options),
          .make = make};
}

}  // namespace

Recipe spdc_nu_recipe() {
  return sampled("spdc-nu", "SPDC, rows drawn in proportion to their norms", "Zhang & Xiao 2017 (JMLR 18), section 5",
                 "O(nnz(a_i))", list_options<NuOptions>(), make_nu);
}

Recipe spdc_lis_recipe() {
  return sampled("spdc-lis", "SPDC, rows drawn by norms, with the step sizes of uniform draws",
                 "Liu, Wang & So 2021 (ITOR), SPDC-LIS", "O(nnz(a_i))", list_options<LisOptions>(), make_lis);
}

Recipe spdc_ais_recipe() {
  return sampled("spdc-ais", "SPDC, rows drawn by the last moves of their dual variables, updated at every draw",
                 "Liu, Wang & So 2021 (ITOR), Algorithm 1", "O(nnz(a_i) + log n)", list_options<AisOptions>(),
                 make_ais);
}

}  // namespace seesaw
