// Second-order methods on sets of LIBSVM's page (see real_sets.h): certified for any C within a number of passes.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "data/readers/read.h"
#include "papers/real_sets.h"
#include "run/fit.h"
#include "solvers/catalog.h"
#include "verify/verify.h"

namespace seesaw {
namespace second_order_test {

FitSpec spec_of(const char* solver, const char* loss, double C, Intercept intercept) {
  FitSpec spec;
  spec.objective.loss = loss;
  spec.objective.C = C;
  spec.objective.intercept = intercept;
  spec.solver.name = solver;
  spec.criteria.gap = 1e-6;
  return spec;
}

void expect_certified(const Dataset& data, const FitSpec& spec, double most_passes) {
  const Fit result = fit(data, spec);
  const std::string what = fmt::format("{} {} C {} intercept {}", data.source, spec.objective.loss, *spec.objective.C,
                                       name_of(spec.objective.intercept));
  EXPECT_EQ(result.outcome.termination, Termination::converged)
      << what << " gap " << result.outcome.certificate.relative_gap();
  EXPECT_LE(result.outcome.last.passes, most_passes) << what;
  const Verification verdict = verify(data, result.model);
  EXPECT_TRUE(verdict.holds) << what << ": " << (verdict.problems.empty() ? "" : verdict.problems[0]);
}

class FewRows : public testing::TestWithParam<const char*> {};

TEST_P(FewRows, are_certified_by_rot_for_every_loss) {
  if (const std::string why = test::skip_reason(GetParam()); !why.empty()) GTEST_SKIP() << why;
  const Dataset data = read_dataset(test::path_of(GetParam()).string());
  // Dual ascent as the inner method would not converge for large C.
  const auto& recipes = catalog();
  const bool newton_inside = std::count_if(recipes.begin(), recipes.end(), [](const Recipe& recipe) {
                               return recipe.name == "newton" || recipe.name == "ssn";
                             }) == 2;
  // With nonsmooth losses and C = 10000 some cells end at 1.6e-6: P is 1e-8 there, and the target gap 1e-14.
  for (const char* loss : {"hinge", "logistic", "squared-hinge", "squared", "absolute"})
    for (const double C : {0.01, 1.0, 100.0, 10000.0}) {
      if (C > (!newton_inside ? 1 : loss_kind(loss).gamma() > 0 ? 10000 : 100)) continue;
      for (const Intercept intercept : {Intercept::none, Intercept::free})
        expect_certified(data, spec_of("rot", loss, C, intercept), 1000);
    }
}
INSTANTIATE_TEST_SUITE_P(Sample, FewRows, testing::Values("colon-cancer", "duke-breast.49"),
                         [](const auto& instance) { return instance.param[0] == 'c' ? "colon" : "duke"; });

// Dual ascent needs 64 passes to a hundred times the gap with lambda = 1/n, and does not converge for larger C.
TEST(SoftmaxNewton, certifies_dna_for_any_C) {
  if (const std::string why = test::skip_reason("dna.scale"); !why.empty()) GTEST_SKIP() << why;
  const Dataset data = read_dataset(test::path_of("dna.scale").string());
  for (const Intercept intercept : {Intercept::none, Intercept::free})
    for (const auto& [C, passes] : {std::pair{0.01, 40.0}, {1.0, 100.0}, {100.0, 200.0}, {10000.0, 400.0}})
      expect_certified(data, spec_of("newton", "softmax", C, intercept), passes);
}

TEST(SoftmaxNewton, certifies_usps) {
  if (const std::string why = test::skip_reason("usps"); !why.empty()) GTEST_SKIP() << why;
  const Dataset data = read_dataset(test::path_of("usps").string());
  expect_certified(data, spec_of("newton", "softmax", 1, Intercept::free), 150);
}

}  // namespace second_order_test
}  // namespace seesaw
