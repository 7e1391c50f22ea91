// SDCA's options: the same optimum with each, and their effect.
#include <gtest/gtest.h>

#include "data/synthetic.h"
#include "support/problems.h"
#include "support/specs.h"
#include "verify/verify.h"

namespace seesaw {
namespace sdca_options_test {

using test::spec_of;

TEST(Sdca, every_option_reaches_the_same_optimum) {
  const Dataset data = test::random_data(100, 5, Target::sign, 6);
  std::vector<double> optima;
  for (const OptionValues& options : std::vector<OptionValues>{
           {}, {{"shrink", "off"}}, {{"draw", "iid"}}, {{"average", "on"}, {"draw", "iid"}}, {{"average", "on"}}}) {
    FitSpec spec = spec_of(recipe_named("sdca"), loss_kind("hinge"), 0.02, 0, Intercept::free);
    spec.criteria.gap_abs = 1e-5;
    spec.solver = {"sdca", options, 1};
    const Fit result = fit(data, spec);
    EXPECT_EQ(result.outcome.termination, Termination::converged);
    EXPECT_TRUE(verify(data, result.model).holds);
    optima.push_back(result.outcome.certificate.primal);
  }
  for (double p : optima) EXPECT_NEAR(p, optima[0], 2e-5);
}

// Two nearly equal rows with coupled dual variables: SDCA alone converges slowly.
TEST(Sdca, extrapolation_accelerates_coupled_coordinates_and_never_decreases_D) {
  for (const LossKind& kind : loss_kinds())
    for (const Intercept intercept : {Intercept::none, Intercept::free}) {
      const Dataset data = test::random_data(60, 8, kind.target, 3);
      Objective objective;
      objective.loss = kind.name;
      objective.lambda = 1e-3;
      objective.intercept = intercept;
      const Problem problem = make_problem(data, objective);
      const auto plain = make_solver(problem, {"sdca", {{"extrapolate", "off"}, {"shrink", "off"}}, 1});
      const auto extrapolating = make_solver(problem, {"sdca", {{"extrapolate", "on"}, {"shrink", "off"}}, 1});
      Point a, b;
      double before = -infinity;
      Certifier certifier(problem);
      for (int k = 0; k < 120; ++k) {
        plain->epoch();
        extrapolating->epoch();
        extrapolating->read(b);
        if (intercept == Intercept::free) continue;  // the D that increases is that of the proximal problem
        const double dual = certifier.certify(b).dual;
        EXPECT_GE(dual, before - 1e-12 * (1 + std::abs(before))) << kind.name << " pass " << k;
        before = dual;
      }
      plain->read(a);
      extrapolating->read(b);
      EXPECT_LE(certifier.certify(b).gap, 3 * certifier.certify(a).gap + 1e-12) << kind.name;
    }
  // For correlated columns or columns of decreasing size it saves passes (here 1700 without, 1011 with it).
  SynthOptions options;
  options.n = 300;
  options.d = 100;
  const Dataset data = synthesize("decay", options);
  double passes[2];
  for (const bool on : {false, true}) {
    FitSpec spec = spec_of(recipe_named("sdca"), loss_kind("hinge"), 1 / (100.0 * 300), 0, Intercept::none);
    spec.criteria.gap_abs = 1e-7;
    spec.solver = {"sdca", {{"extrapolate", on ? "on" : "off"}}, 1};
    const Fit result = fit(data, spec);
    EXPECT_EQ(result.outcome.termination, Termination::converged);
    passes[on] = result.outcome.last.passes;
  }
  EXPECT_LT(passes[true], 0.8 * passes[false]);
}

TEST(Sdca, shrinking_needs_less_work_for_the_same_gap) {
  const Dataset data = test::random_data(3000, 20, Target::sign, 12);
  double passes[2];
  for (const bool on : {false, true}) {
    FitSpec spec = spec_of(recipe_named("sdca"), loss_kind("hinge"), 1e-4, 0, Intercept::none);
    spec.criteria.gap = 1e-4;
    spec.solver = {"sdca", {{"shrink", on ? "on" : "off"}}, 1};
    const Fit result = fit(data, spec);
    ASSERT_EQ(result.outcome.termination, Termination::converged);
    passes[on] = result.outcome.last.passes;
  }
  EXPECT_LT(passes[true], 0.7 * passes[false]);
}

}  // namespace sdca_options_test
}  // namespace seesaw
