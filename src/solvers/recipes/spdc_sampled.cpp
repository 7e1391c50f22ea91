// SPDC with rows drawn by importance, one at a time. Row i has probability p_i, the dual step sigma/(n p_i) and the
// weight 1/(n p_i) (with weights: c_i/p_i).
//
//   spdc-nu   p_i = (1 - alpha)/n + alpha R_i/sum R, alpha = 1/2 (Zhang & Xiao 2017, section 5):
//             tau, sigma = (alpha/(2 Rmean)) (square roots of SPDC),
//             theta = 1 - 1/(n/(1-alpha) + (Rmean/alpha) sqrt(n/(lambda gamma)))
//   spdc-lis  p_i = (1 - delta_t)/n + delta_t R_i/sum R, SPDC's own steps (Liu, Wang & So 2021, "LIS")
//   spdc-ais  p_i = (1 - delta_t)/n + delta_t h_i/sum h, h_i = |pi_i|^kappa, pi_i = (n p_i/sigma) dy_i of the last draw
//             of i (Algorithm 1, "AIS"); ideal: pi_i = G_i = dy_i/sigma of the step that row i would take with sigma now,
//             for all rows, before every `refresh` draws: O(nnz) each (12)
//
// delta_t increases from delta-start to delta over `ramp` passes, step by step (spdc-lis by default: delta).
//
// The steps of theorem 1 are SPDC's times (1 - delta): five times smaller, which costs more than the sampling gains
// (measured: 2 to 5 times the passes of spdc). Those of theorem 2 are SPDC's; they need up-to-date probabilities, and
// stall without the clip  sigma_i <= p_i/(4 tau c_i |a_i|^2).
#include "solvers/recipes/spdc_sampled.h"

#include <algorithm>
#include <cmath>

#include "sampling/importance.h"
#include "sampling/ramped.h"
#include "sampling/refreshed.h"
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

struct LisOptions {
  Theorem theorem = Theorem::two;
  double delta = 0.8;
  DeltaRamp ramp{.passes = 0};
  void describe(OptionReader& reader) {
    describe_theorem(reader, theorem);
    reader.number("delta", delta, from_0_to_1, "fraction of the probabilities that follows the norms");
    ramp.describe(reader);
  }
};

class LipschitzSampling final : public StepRule {
 public:
  LipschitzSampling(const Problem& problem, const LisOptions& options, Rng rng) : StepRule(problem), options_(options) {
    if (!ramped()) {
      sampler = by_norms(facts, options.delta, rng);
      return;
    }
    std::vector<double> weights;
    for (std::uint32_t i : facts.drawable) weights.push_back(facts.norm[i]);
    sampler = std::make_unique<RampedSampler>(facts.drawable, weights,
                                              options.ramp.to(options.delta, static_cast<double>(facts.n)), rng);
  }
  Steps steps(double gamma) override {
    spdc_ = steps_of(options_.theorem, facts, gamma, options_.delta);
    return spread(facts, spdc_, *sampler);
  }

  bool changes_at_draws() const override { return ramped(); }
  std::pair<double, double> at_draw(std::uint32_t i) const override {
    const double p = sampler->probability(i);
    return {spdc_.sigma * (1 / facts.m / p), facts.normalized_weight[i] / p};
  }
  bool uses_moves() const override { return ramped(); }
  void moved(std::uint32_t row, double size) override { sampler->feedback(row, size); }

 private:
  bool ramped() const { return options_.ramp.passes > 0 && !facts.drawable.empty(); }

  LisOptions options_;
  SpdcSteps spdc_{};
};

enum class Maps { adaptive, ideal };

struct AisOptions {
  Theorem theorem = Theorem::two;
  Maps maps = Maps::adaptive;
  std::size_t refresh = 1;
  AdaptiveDraws draws;

  void describe(OptionReader& reader) {
    describe_theorem(reader, theorem);
    reader.choice("sampling", maps, {"adaptive", "ideal"},
                  "gradient maps that the probabilities follow: that of the last draw of each row, or the current ones "
                  "of all rows, one pass each time (small data)");
    reader.count("refresh", refresh, "draws between two computations of all gradient maps");
    draws.describe(reader);
  }
};

class AdaptiveSampling final : public StepRule {
 public:
  AdaptiveSampling(const Problem& problem, const AisOptions& options, Rng rng) : StepRule(problem), options_(options) {
    const auto draws_per_pass = static_cast<double>(facts.n);
    if (options.maps == Maps::adaptive || facts.drawable.empty()) {
      sampler = options.draws.sampler(facts.drawable, draws_per_pass, rng);
      return;
    }
    auto refreshed =
        std::make_unique<RefreshedSampler>(facts.drawable, options.draws.ramp.to(options.draws.delta, draws_per_pass),
                                           options.draws.kappa, options.refresh, rng);
    refreshed_ = refreshed.get();
    sampler = std::move(refreshed);
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

  double map_sigma() const override { return refreshed_ != nullptr ? spdc_.sigma : 0; }
  void follow(std::span<const double> maps) override { refreshed_->refresh(maps); }

 private:
  AisOptions options_;
  SpdcSteps spdc_{};
  RefreshedSampler* refreshed_ = nullptr;  // the sampler, if ideal
};

struct NuOptions {
  double alpha = 0.5;
  void describe(OptionReader& reader) {
    reader.number("alpha", alpha, between_0_and_1, "fraction of the probabilities that follows the norms");
  }
};

std::unique_ptr<Solver> make_nu(const Problem& problem, const SolverSpec& spec, const Start& start) {
  const auto options = read_options<NuOptions>(spec);
  return make_primal_dual(problem, {.rule = std::make_unique<NonUniform>(problem, options.alpha, Rng(spec.seed))},
                          start);
}

std::unique_ptr<Solver> make_lis(const Problem& problem, const SolverSpec& spec, const Start& start) {
  const auto options = read_options<LisOptions>(spec);
  options.ramp.check(spec, options.delta);
  auto rule = std::make_unique<LipschitzSampling>(problem, options, Rng(spec.seed));
  return make_primal_dual(problem, {.rule = std::move(rule)}, start);
}

std::unique_ptr<Solver> make_ais(const Problem& problem, const SolverSpec& spec, const Start& start) {
  const auto options = read_options<AisOptions>(spec);
  options.draws.ramp.check(spec, options.draws.delta);
  if (options.maps == Maps::adaptive) refuse_given(spec, {"refresh"}, "it needs `sampling` ideal");
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
