// Our fastest methods of the family. For a fixed step of x, rows are drawn so that all dual variables converge at the
// same rate, 1/p_i + 1/(2 sigma_i gamma c_i) = Theta for every row, and every sigma_i is as large as permitted:
//
//     w_i = (1 + sqrt(1 + c_i |a_i|^2/(k lambda gamma)))/2      Theta = sum_i w_i      p_i = w_i/Theta
//     tau = 1/(2 lambda (Theta - 1))    theta = 1 - 1/Theta     sigma_i = k p_i/(c_i tau |a_i|^2)
//
// `spdc-opt` extrapolates the primal point (k = 1/4; the proof of SPDC applies with fixed sigma_i), `spdhg` the dual one,
// as the stochastic PDHG of Chambolle, Ehrhardt, Richtarik and Schonlieb (2018), whose condition is k < 1. With
// `spdhg-ais` half of the draws follow the largest moves of the dual variables, updated after each pass. There is no
// proof for changing probabilities, and it fails on the smoothed multiclass hinge, so it does not support block losses.
#include "solvers/recipes/spdhg.h"

#include <algorithm>
#include <cmath>

#include "sampling/epoch.h"
#include "sampling/importance.h"
#include "solvers/engines/primal_dual.h"

namespace seesaw {
namespace {

struct OptimalPlan {
  std::vector<double> probability;  // of the drawable rows, in their order
  double tau, theta;

  OptimalPlan(const RowFacts& facts, double gamma, double k) {
    double above = 0;  // Theta - 1, summed from terms w_i - 1 that may be much smaller than 1
    for (std::uint32_t i : facts.drawable) {
      const double ratio = facts.normalized_weight[i] * facts.square[i] / (k * facts.lambda * gamma);
      const double r = ratio < 1e300 ? ratio : 1e300;  // inf and NaN would give no probabilities
      const double excess = r / 2 / (1 + std::sqrt(1 + r));
      above += probability.empty() ? excess : 1 + excess;
      probability.push_back(1 + excess);
    }
    for (double& p : probability) p /= 1 + above;
    tau = 1 / (2 * facts.lambda * std::max(above, 1e-12));
    theta = above / (1 + above);
  }
};

// The largest dual steps for rows drawn with these probabilities.
Steps largest_steps(const RowFacts& facts, const OptimalPlan& plan, double k, const Sampler& sampler) {
  Steps steps{{plan.tau}, {plan.theta}, std::vector<double>(facts.n), std::vector<double>(facts.n)};
  for (std::uint32_t i : facts.drawable) {
    const double p = sampler.probability(i);
    steps.sigma[i] = k * p / (facts.normalized_weight[i] * plan.tau * facts.square[i]);
    steps.weight[i] = facts.normalized_weight[i] / p;
  }
  return steps;
}

class OptimalSteps final : public StepRule {
 public:
  OptimalSteps(const Problem& problem, double k, Rng rng) : StepRule(problem), k_(k), rng_(rng) {}

  Steps steps(double gamma) override {
    const OptimalPlan plan(facts, gamma, k_);
    if (alias_ == nullptr) {
      auto alias = std::make_unique<AliasSampler>(facts.drawable, plan.probability, rng_);
      alias_ = alias.get();
      sampler = std::move(alias);
    } else {
      alias_->reset(plan.probability);
    }
    return largest_steps(facts, plan, k_, *sampler);
  }

 private:
  double k_;
  Rng rng_;
  AliasSampler* alias_ = nullptr;
};

// p_i = (1 - delta) p_i of above + delta |pi_i|^kappa/sum, with pi_i = dy_i/sigma_i, sigma_i of above.
class AdaptiveOptimalSteps final : public StepRule {
 public:
  AdaptiveOptimalSteps(const Problem& problem, double k, double delta, Rng rng)
      : StepRule(problem), k_(k), delta_(delta), rng_(rng) {}

  Steps steps(double gamma) override {
    plan_.emplace(facts, gamma, k_);
    inverse_sigma_.assign(facts.n, 0.0);
    for (std::size_t k = 0; k < facts.drawable.size(); ++k) {
      const std::uint32_t i = facts.drawable[k];
      inverse_sigma_[i] = facts.normalized_weight[i] * plan_->tau * facts.square[i] / (k_ * plan_->probability[k]);
    }
    if (learning_ == nullptr) {
      auto learning =
          std::make_unique<EpochSampler>(facts.drawable, plan_->probability, EpochAdaptivity{.delta = delta_}, rng_);
      learning_ = learning.get();
      sampler = std::move(learning);
    } else {
      learning_->reset(plan_->probability);
    }
    return largest_steps(facts, *plan_, k_, *sampler);
  }

  Retuned end_pass(Solver&, double) override {
    sampler->end_pass();
    return {.steps = largest_steps(facts, *plan_, k_, *sampler)};
  }

  bool uses_moves() const override { return true; }
  void moved(std::uint32_t row, double size) override { sampler->feedback(row, size * inverse_sigma_[row]); }

 private:
  double k_, delta_;
  Rng rng_;
  std::optional<OptimalPlan> plan_;
  std::vector<double> inverse_sigma_;
  EpochSampler* learning_ = nullptr;
};

template <Extrapolate extrapolate>
struct OptimalOptions {
  double safety = extrapolate == Extrapolate::dual ? 0.98 : 0.25;

  void describe(OptionReader& reader) {
    reader.number("safety", safety, between_0_and_1,
                  "k of tau sigma_i |a_i|^2 = k p_i/c_i: smaller values give smaller, safer steps");
  }
};

struct AdaptiveSpdhgOptions : OptimalOptions<Extrapolate::dual> {
  double delta = 0.5;

  void describe(OptionReader& reader) {
    OptimalOptions::describe(reader);
    reader.number("delta", delta, from_0_to_1, "fraction of the draws that follow the dual steps");
  }
};

template <Extrapolate extrapolate>
std::unique_ptr<Solver> make_optimal(const Problem& problem, const SolverSpec& spec, const Start& start) {
  const auto options = read_options<OptimalOptions<extrapolate>>(spec);
  return make_primal_dual(
      problem,
      {.rule = std::make_unique<OptimalSteps>(problem, options.safety, Rng(spec.seed)), .extrapolate = extrapolate},
      start);
}

std::unique_ptr<Solver> make_adaptive_spdhg(const Problem& problem, const SolverSpec& spec, const Start& start) {
  const auto options = read_options<AdaptiveSpdhgOptions>(spec);
  return make_primal_dual(
      problem,
      {.rule = std::make_unique<AdaptiveOptimalSteps>(problem, options.safety, options.delta, Rng(spec.seed)),
       .extrapolate = Extrapolate::dual},
      start);
}

}  // namespace

Recipe spdhg_recipe() {
  return {.name = "spdhg",
          .summary = "stochastic primal-dual hybrid gradient: y extrapolated, optimal fixed probabilities",
          .paper = "ours; after Chambolle, Ehrhardt, Richtarik & Schonlieb 2018 (SIAM J. Optim. 28), Algorithm 1",
          .engine = "primal_dual",
          .cost = "O(nnz(a_i))",
          .needs = {.curvature = Need::lambda},
          .features = {.bounds = true, .l1_factors = true},
          .block_losses = true,
          .options = list_options<OptimalOptions<Extrapolate::dual>>(),
          .make = make_optimal<Extrapolate::dual>};
}

Recipe spdhg_ais_recipe() {
  return {.name = "spdhg-ais",
          .summary = "spdhg, half of the draws following the largest moves of the dual variables",
          .paper = "ours; sampling after Liu, Wang & So 2021",
          .engine = "primal_dual",
          .cost = "O(nnz(a_i))",
          .needs = {.curvature = Need::lambda},
          .options = list_options<AdaptiveSpdhgOptions>(),
          .instead = "spdhg, whose probabilities are fixed",
          .make = make_adaptive_spdhg};
}

Recipe spdc_opt_recipe() {
  return {.name = "spdc-opt",
          .summary = "SPDC with optimal fixed probabilities and a dual step size per row",
          .paper = "ours; by the proof of Zhang & Xiao 2017",
          .engine = "primal_dual",
          .cost = "O(nnz(a_i))",
          .needs = {.curvature = Need::lambda},
          .block_losses = true,
          .options = list_options<OptimalOptions<Extrapolate::primal>>(),
          .make = make_optimal<Extrapolate::primal>};
}

}  // namespace seesaw
