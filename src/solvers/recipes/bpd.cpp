// The batch primal-dual methods of Wang & Xiao 2017: `bpd` (Algorithm 1, which is PDHG), `opt-bpd` (the same, with the
// computed strong convexity of the data), `ada-bpd` (with the estimated one: Algorithms 3 and 4, and our secant rule),
// `df-bpd` (Algorithm 6, dual-free; Delta 0, computed or given).
//
//   paper               here
//   f(Ax), without 1/n  sum_i c_i phi_i(a_i.x): their gamma is gamma/c_i, their y_i is c_i y_i
//   L = |A|             N = |C^(1/2) A|, which is |A|/sqrt(n) without weights
//   delta mu^2          Delta, mu^2 the smallest eigenvalue of A^T C A
//
//     e = lambda + Delta     tau = sqrt(gamma/e)/N     sigma = sqrt(e/gamma)/N, dual-free sqrt(gamma e)/N
//     theta = 1/(1 + 2 sqrt(lambda gamma)/N) without Delta (PDHG's); else the rate of the paper's proof, max(tx, ty):
//     ty = 1/(1 + s/2), s = sigma gamma, dual-free sigma
//     tx = (1 - Delta/((delta + 2 sigma) N^2))/(1 + tau lambda), dual-free (1 - tau sigma Delta/(4 + 2 sigma))/(1 + tau lambda)
//
// One iteration costs two products by A and is one pass. Smooth losses, nonsmooth ones by smoothing. lambda > 0 or
// Delta > 0.
#include "solvers/recipes/bpd.h"

#include <algorithm>
#include <cmath>

#include "solvers/engines/batch_primal_dual.h"
#include "solvers/named_number.h"
#include "solvers/parts/steps/curvature_rule.h"
#include "solvers/parts/steps/data_curvature.h"
#include "solvers/parts/steps/spectral_norm.h"
#include "solvers/parts/steps/strong_convexity.h"

namespace seesaw {
namespace {

struct NoOptions {
  void describe(OptionReader&) {}
};

struct DualFreeBpdOptions {
  StrongConvexity mu;
  void describe(OptionReader& reader) { mu.describe(reader, "steps"); }
};

class CurvedSteps final : public BatchStepRule {
 public:
  CurvedSteps(const Problem& problem, DualStep dual_step)
      : BatchStepRule(problem),
        problem_(problem),
        dual_free_(dual_step == DualStep::dual_free),
        norm_(spectral_norm(problem, facts.bias_entry)) {}

  void set_curvature(double Delta) { known_ = Delta; }
  void learn(const CurvatureOptions& options, std::optional<double> first) {
    learner_.emplace(problem_, options, first, facts, RateOf::ends);
    theta_of_ = options.theta;
  }

  BatchSteps steps(double gamma) override {
    const double delta = delta_of(problem_.scalar().loss), lambda = problem_.penalty.l2(), N = norm_;
    const double Delta = learner_ ? learner_->curvature(gamma) / facts.m : known_, e = lambda + Delta;
    const double tau = std::sqrt(gamma / e) / N;
    const double sigma = std::sqrt(dual_free_ ? gamma * e : e / gamma) / N;
    const double ty = 1 / (1 + (dual_free_ ? sigma : sigma * gamma) / 2);
    const double gain = dual_free_ ? tau * sigma * Delta / (4 + 2 * sigma) : Delta / ((delta + 2 * sigma) * N * N);
    const double tx = (1 - gain) / (1 + tau * lambda);
    rate_ = Delta == 0 && !dual_free_ ? 1 / (1 + 2 * std::sqrt(lambda * gamma) / N) : std::max(tx, ty);
    return {tau, sigma, theta_of_ == ThetaOf::one ? 1 : rate_};
  }

  void begin(Solver& method) override {
    if (learner_) learner_->begin(method);
  }

  bool end_iteration(Solver& method, double gamma, const std::vector<double>& z) override {
    return learner_ && learner_->end_pass(method, gamma, rate_, &z).changed;
  }

 private:
  const Problem& problem_;
  bool dual_free_;
  double norm_;
  double known_ = 0;
  std::optional<CurvatureLearner> learner_;  // scaled as in the stochastic methods: m times Delta
  ThetaOf theta_of_ = ThetaOf::proof;
  double rate_ = 0;
};

std::unique_ptr<Solver> make_bpd(const Problem& problem, const SolverSpec& spec, const Start& start) {
  read_options<NoOptions>(spec);
  return make_batch_primal_dual(problem, {.rule = std::make_unique<CurvedSteps>(problem, DualStep::euclidean)}, start);
}

std::unique_ptr<Solver> make_dual_free(const Problem& problem, const SolverSpec& spec, const Start& start) {
  const auto options = read_options<DualFreeBpdOptions>(name_numbers(spec, {"mu"}));
  auto rule = std::make_unique<CurvedSteps>(problem, DualStep::dual_free);
  rule->set_curvature(positive_strong_convexity(options.mu, problem, spec, rule->facts.bias_entry) -
                      problem.penalty.l2());
  return make_batch_primal_dual(problem, {.rule = std::move(rule), .dual_step = DualStep::dual_free}, start);
}

std::unique_ptr<Solver> make_optimal(const Problem& problem, const SolverSpec& spec, const Start& start) {
  read_options<NoOptions>(spec);
  auto rule = std::make_unique<CurvedSteps>(problem, DualStep::euclidean);
  if (const double delta = delta_of(problem.scalar().loss); delta > 0)
    rule->set_curvature(delta * data_curvature(problem, rule->facts.bias_entry));
  return make_batch_primal_dual(problem, {.rule = std::move(rule)}, start);
}

// With a strongly convex loss the smallest eigenvalue of A^T C A must be computable, and positive if lambda = 0.
std::optional<std::string> curvature_unsupported(const Problem& problem) {
  if (delta_of(problem.scalar().loss) == 0) return std::nullopt;
  if (auto reason = data_curvature_unsupported(problem)) return reason;
  if (problem.penalty.l2() > 0 || data_curvature(problem, RowFacts(problem).bias_entry) > 0) return std::nullopt;
  return "lambda > 0 or linearly independent columns, and here lambda = 0 and the columns are dependent";
}

std::unique_ptr<Solver> make_adaptive_bpd(const Problem& problem, const SolverSpec& spec, const Start& start) {
  const auto options = read_options<CurvatureOptions>(name_numbers(spec, {"first-estimate"}));
  options.refuse_unused(spec, problem);
  auto rule = std::make_unique<CurvedSteps>(problem, DualStep::euclidean);
  rule->learn(options, given_number(spec, "first-estimate"));
  return make_batch_primal_dual(problem, {.rule = std::move(rule)}, start);
}

constexpr const char* engine_name = "batch_primal_dual";
constexpr const char* cost_of_step = "O(nnz)";

}  // namespace

Recipe bpd_recipe() {
  return {.name = "bpd",
          .summary = "batch primal-dual method (PDHG): proximal steps on all y_i and on x, x extrapolated",
          .paper = "Wang & Xiao 2017 (ICML), Algorithm 1; Chambolle & Pock 2011, Algorithm 3 (PDHG)",
          .engine = engine_name,
          .cost = cost_of_step,
          .needs = {.curvature = Need::lambda},
          .random = false,
          .options = list_options<NoOptions>(),
          .make = make_bpd};
}

Recipe opt_bpd_recipe() {
  return {.name = "opt-bpd",
          .summary = "BPD with the strong convexity of the data, from the eigenvalues of A^T A; lambda may be 0",
          .paper = "Wang & Xiao 2017 (ICML), Algorithm 1 with the steps of Theorem 1 (Opt-BPD)",
          .engine = engine_name,
          .cost = cost_of_step,
          .needs = {.curvature = Need::lambda_or_strongly_convex_loss,
                    .of_numbers = "d <= 4000 if the loss is strongly convex"},
          .random = false,
          .options = list_options<NoOptions>(),
          .unsupported_reason = curvature_unsupported,
          .make = make_optimal};
}

Recipe ada_bpd_recipe() {
  return {.name = "ada-bpd",
          .summary = "BPD that estimates the strong convexity of the data while it runs; lambda may be 0",
          .paper = "Wang & Xiao 2017 (ICML), Algorithms 3 and 4 (Ada-BPD); the secant rule is ours",
          .engine = engine_name,
          .cost = cost_of_step,
          .needs = {.curvature = Need::penalty_or_smooth_loss},
          .random = false,
          .options = list_options<CurvatureOptions>(),
          .make = make_adaptive_bpd};
}

Recipe df_bpd_recipe() {
  return {.name = "df-bpd",
          .summary = "dual-free BPD: dual steps by the loss's derivative instead of its conjugate; lambda may be 0",
          .paper = "Wang & Xiao 2017 (ICML), Algorithm 6 with the steps of Theorem 3",
          .engine = engine_name,
          .cost = cost_of_step,
          .needs = {.curvature = Need::lambda_or_strongly_convex_loss,
                    .of_numbers = "d <= 4000 if lambda = 0; with a number as mu a smooth loss"},
          .random = false,
          .options = list_options<DualFreeBpdOptions>(),
          .unsupported_reason = strong_convexity_unsupported,
          .make = make_dual_free};
}

}  // namespace seesaw
