// SPDC that estimates the strong convexity of the data (Wang & Xiao 2017): `spdc-adaptive` is their Ada-SPDC (Algorithm
// 5), `df-spdc` and `adf-spdc` the dual-free forms (Algorithm 7, without and with adaptation). The steps are those of
// parts/steps/curved_steps.h for Delta, the strong convexity due to the data times n (delta mu^2 in the paper): 0, computed
// or given (df-spdc), or estimated every T passes:
//   simple   doubled if the gap fell faster than theta guarantees, else halved (Algorithm 3)
//   robust   with r the rate of the gap over the period, by log-linear regression over its passes: doubled if
//            r <= 0.95 rho, halved if r >= 1.5 rho; rho := r in both cases (Algorithm 4)
//   secant   Delta = n sum c_i (phi'(z_i) - phi'(z_i old))(z_i - z_i old)/|x - x old|^2, the curvature along the
//            direction of x (ours: needs no gap, so it works with lambda = 0 as well)
#include "solvers/recipes/spdc_adaptive.h"

#include "base/elementary.h"
#include "solvers/engines/primal_dual.h"
#include "solvers/named_number.h"
#include "solvers/parts/sampling/uniform_draws.h"
#include "solvers/parts/steps/curvature_rule.h"
#include "solvers/parts/steps/curved_steps.h"
#include "solvers/parts/steps/strong_convexity.h"

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
  CurvatureOptions curvature;

  void describe(OptionReader& reader) {
    FixedOptions<dual_step>::describe(reader);
    curvature.describe(reader);
  }
};

struct DualFreeOptions : FixedOptions<DualStep::dual_free> {
  StrongConvexity mu;

  void describe(OptionReader& reader) {
    FixedOptions<DualStep::dual_free>::describe(reader);
    mu.describe(reader, "steps");
  }
};

class CurvatureSteps final : public StepRule {
 public:
  CurvatureSteps(const Problem& problem, double step_constant, DualStep dual_step, Draw draw, Rng rng)
      : StepRule(problem), problem_(problem), step_constant_(step_constant), dual_step_(dual_step) {
    sampler = uniform_sampler(facts, draw, 1, rng);
  }
  void set_curvature(double Delta) { known_ = Delta; }
  void learn(const CurvatureOptions& options, std::optional<double> first) {
    learner_.emplace(problem_, options, first, facts);
    theta_of_ = options.theta;
  }

  Steps steps(double gamma) override {
    const SpdcSteps steps =
        curved_steps({facts.m, facts.largest, facts.lambda, gamma, delta_of(problem_.scalar().loss)},
                     learner_ ? learner_->curvature(gamma) : known_, dual_step_, step_constant_);
    rate_ = steps.theta;
    return {{steps.tau}, {theta_of_ == ThetaOf::one ? 1 : rate_}, {steps.sigma}, uniform_weights(facts, 1)};
  }

  void begin(Solver& method) override {
    if (learner_) learner_->begin(method);
  }

  Retuned end_pass(Solver& method, double gamma) override {
    if (!learner_) return {};
    const CurvatureLearner::Update update =
        learner_->end_pass(method, gamma, power_of(rate_, static_cast<double>(facts.n)));
    if (!update.changed) return {.passes = update.passes};
    return {.steps = steps(gamma), .passes = update.passes};
  }

 private:
  const Problem& problem_;
  double step_constant_;
  DualStep dual_step_;
  double known_ = 0;  // Delta
  std::optional<CurvatureLearner> learner_;
  ThetaOf theta_of_ = ThetaOf::proof;
  double rate_ = 0;
};

std::unique_ptr<Solver> assemble(const Problem& problem, std::unique_ptr<CurvatureSteps> rule, DualStep dual_step,
                                 const Start& start) {
  return make_primal_dual(problem, {.rule = std::move(rule), .dual_step = dual_step}, start);
}

template <DualStep dual_step>
std::unique_ptr<Solver> make_adaptive(const Problem& problem, const SolverSpec& spec, const Start& start) {
  const auto options = read_options<AdaptiveOptions<dual_step>>(name_numbers(spec, {"first-estimate"}));
  auto rule = std::make_unique<CurvatureSteps>(problem, options.step_constant, dual_step, options.draw, Rng(spec.seed));
  options.curvature.refuse_unused(spec, problem);
  rule->learn(options.curvature, given_number(spec, "first-estimate"));
  return assemble(problem, std::move(rule), dual_step, start);
}

std::unique_ptr<Solver> make_fixed(const Problem& problem, const SolverSpec& spec, const Start& start) {
  constexpr DualStep step = DualStep::dual_free;
  const auto options = read_options<DualFreeOptions>(name_numbers(spec, {"mu"}));
  auto rule = std::make_unique<CurvatureSteps>(problem, options.step_constant, step, options.draw, Rng(spec.seed));
  const double mu = positive_strong_convexity(options.mu, problem, spec, rule->facts.bias_entry);
  rule->set_curvature(rule->facts.m * (mu - problem.penalty.l2()));
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
          .summary = "dual-free SPDC: dual steps by the loss's derivative instead of its conjugate; lambda may be 0",
          .paper = "Wang & Xiao 2017 (ICML), Algorithm 7 without adaptation, with the steps of Theorem 4",
          .engine = "primal_dual",
          .cost = "O(nnz(a_i))",
          .needs = {.curvature = Need::lambda_or_strongly_convex_loss,
                    .of_numbers = "d <= 4000 if lambda = 0; with a number as mu a smooth loss"},
          .options = list_options<DualFreeOptions>(),
          .unsupported_reason = strong_convexity_unsupported,
          .make = make_fixed};
}

Recipe adf_spdc_recipe() {
  return {.name = "adf-spdc",
          .summary = "dual-free SPDC that estimates the strong convexity of the data; lambda may be 0",
          .paper = "Wang & Xiao 2017 (ICML), Algorithm 7",
          .engine = "primal_dual",
          .cost = "O(nnz(a_i))",
          .needs = {.curvature = Need::lambda_or_smooth_loss},
          .options = list_options<AdaptiveOptions<DualStep::dual_free>>(),
          .make = make_adaptive<DualStep::dual_free>};
}

}  // namespace seesaw
