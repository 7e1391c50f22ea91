// SPDC that estimates the strong convexity of the data (Wang & Xiao 2017): `spdc-adaptive` is their Ada-SPDC (Algorithm
// 5), `df-spdc` and `adf-spdc` the dual-free forms (Algorithm 7, without and with adaptation).
//
//     e = n lambda + Delta                 Delta: strong convexity due to the data, delta mu^2 in the paper, unknown
//     tau = sqrt(gamma/e)/(c R)            sigma = sqrt(e/gamma)/(c R), dual-free sqrt(gamma e)/(c R)
//     theta = max(ty, tx)                  the rates of the two proofs: (10), dual-free (16)
//
// Delta is updated every T = 10 passes:
//   simple   doubled if the gap fell faster than theta guarantees, else halved (Algorithm 3)
//   robust   with r the rate of the gap over the period, by log-linear regression over its passes: doubled if
//            r <= 0.95 rho, halved if r >= 1.5 rho; rho := r in both cases (Algorithm 4)
//   secant   Delta = n sum c_i (phi'(z_i) - phi'(z_i old))(z_i - z_i old)/|x - x old|^2, the curvature along the
//            direction of x (ours: needs no gap, so it works with lambda = 0 as well)
#include "solvers/recipes/spdc_adaptive.h"

#include <algorithm>
#include <cmath>

#include "base/elementary.h"
#include "solvers/engines/primal_dual.h"
#include "solvers/parts/sampling/uniform_draws.h"
#include "solvers/parts/steps/curvature_rule.h"

namespace seesaw {
namespace {

// c = 4 is the paper's. Euclidean steps also converge with 2, in half the passes; dual-free ones do not for some nonsmooth
// losses (measured).
template <DualStep dual_step>
struct FixedOptions {
  Draw draw = Draw::permutation;
  double step_constant = dual_step == DualStep::euclidean ? 2 : 4;

  void describe(OptionReader& reader) {
    describe_draw(reader, draw);
    reader.number("step-constant", step_constant, above_zero,
                  "c of tau, sigma ~ 1/(c R): larger values give smaller, safer steps");
  }
};

template <DualStep dual_step>
struct AdaptiveOptions : FixedOptions<dual_step> {
  CurvatureRule rule = CurvatureRule::secant;

  void describe(OptionReader& reader) {
    FixedOptions<dual_step>::describe(reader);
    describe_rule(reader, rule);
  }
};

class CurvatureSteps final : public StepRule {
 public:
  CurvatureSteps(const Problem& problem, double step_constant, DualStep dual_step, Draw draw, Rng rng)
      : StepRule(problem), problem_(problem), step_constant_(step_constant), dual_step_(dual_step) {
    sampler = uniform_sampler(facts, draw, 1, rng);
  }
  void learn_by(CurvatureRule rule) { learner_.emplace(problem_, rule, facts); }

  Steps steps(double gamma) override {
    const double delta = delta_of(problem_.scalar().loss), n = facts.m, R = facts.largest, lambda = facts.lambda;
    const double Delta = learner_ ? learner_->curvature(gamma) : 0, e = n * lambda + Delta;
    const bool dual_free = dual_step_ == DualStep::dual_free;
    const double tau = std::sqrt(gamma / e) / (step_constant_ * R);
    const double sigma = std::sqrt(dual_free ? gamma * e : e / gamma) / (step_constant_ * R);
    const double s = dual_free ? sigma : sigma * gamma;
    const double ty = (1 + (1 - 1 / n) * s / 2) / (1 + s / 2);
    const double loss_of_rate = dual_free ? n * (4 + 2 * sigma) : 2 * n * (sigma + 4 * delta);
    const double tx = (1 - tau * sigma * Delta / loss_of_rate) / (1 + tau * lambda);
    theta_ = std::max(ty, tx);
    return {{tau}, {theta_}, {sigma}, uniform_weights(facts, 1)};
  }

  Retuned end_pass(Solver& method, double gamma) override {
    if (!learner_) return {};
    const CurvatureLearner::Update update =
        learner_->end_pass(method, gamma, power_of(theta_, static_cast<double>(facts.n)));
    if (!update.changed) return {.passes = update.passes};
    return {.steps = steps(gamma), .passes = update.passes};
  }

 private:
  const Problem& problem_;
  double step_constant_;
  DualStep dual_step_;
  std::optional<CurvatureLearner> learner_;
  double theta_ = 0;
};

std::unique_ptr<Solver> assemble(const Problem& problem, std::unique_ptr<CurvatureSteps> rule, DualStep dual_step,
                                 const Start& start) {
  return make_primal_dual(problem, {.rule = std::move(rule), .dual_step = dual_step}, start);
}

template <DualStep dual_step>
std::unique_ptr<Solver> make_adaptive(const Problem& problem, const SolverSpec& spec, const Start& start) {
  const auto options = read_options<AdaptiveOptions<dual_step>>(spec);
  auto rule = std::make_unique<CurvatureSteps>(problem, options.step_constant, dual_step, options.draw, Rng(spec.seed));
  refuse_rule_without_lambda(options.rule, problem);
  rule->learn_by(options.rule);
  return assemble(problem, std::move(rule), dual_step, start);
}

std::unique_ptr<Solver> make_fixed(const Problem& problem, const SolverSpec& spec, const Start& start) {
  constexpr DualStep step = DualStep::dual_free;
  const auto options = read_options<FixedOptions<step>>(spec);
  auto rule = std::make_unique<CurvatureSteps>(problem, options.step_constant, step, options.draw, Rng(spec.seed));
  return assemble(problem, std::move(rule), step, start);
}

}  // namespace

Recipe spdc_adaptive_recipe() {
  return {.name = "spdc-adaptive",
          .summary = "SPDC that estimates the strong convexity of the data while it runs; lambda may be 0",
          .paper = "Wang & Xiao 2017 (ICML), Algorithm 5 (Ada-SPDC); the secant rule is ours",
          .engine = "primal_dual",
          .cost = "O(nnz(a_i))",
          .needs = {.curvature = Need::penalty_or_smooth_loss},
          .options = list_options<AdaptiveOptions<DualStep::euclidean>>(),
          .make = make_adaptive<DualStep::euclidean>};
}

Recipe df_spdc_recipe() {
  return {.name = "df-spdc",
          .summary = "dual-free SPDC: dual steps by the loss's derivative instead of its conjugate",
          .paper = "Wang & Xiao 2017 (ICML), Algorithm 7 without adaptation",
          .engine = "primal_dual",
          .cost = "O(nnz(a_i))",
          .needs = {.curvature = Need::lambda},
          .options = list_options<FixedOptions<DualStep::dual_free>>(),
          .make = make_fixed};
}

Recipe adf_spdc_recipe() {
  return {.name = "adf-spdc",
          .summary = "dual-free SPDC that estimates the strong convexity of the data",
          .paper = "Wang & Xiao 2017 (ICML), Algorithm 7",
          .engine = "primal_dual",
          .cost = "O(nnz(a_i))",
          .needs = {.curvature = Need::lambda},
          .options = list_options<AdaptiveOptions<DualStep::dual_free>>(),
          .make = make_adaptive<DualStep::dual_free>};
}

}  // namespace seesaw
