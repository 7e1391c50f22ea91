// L-BFGS on text, logistic loss, C >= 100: certified to 1e-6 in at most half of the passes of newton, and selected by
// `auto`. See real_sets.h for the location of the sets.
#include <gtest/gtest.h>

#include "data/readers/read.h"
#include "papers/real_sets.h"
#include "run/fit.h"
#include "verify/verify.h"

namespace seesaw {
namespace lbfgs_test {

Fit fit_text(const Dataset& data, double C, const char* method) {
  FitSpec spec;
  spec.objective.loss = "logistic";
  spec.objective.lambda = 1 / (C * double(data.n()));
  spec.objective.intercept = Intercept::none;
  spec.solver = {method, {}, 1};
  spec.criteria.gap = 1e-6;
  return fit(data, spec);
}

void expect_half_of_newton(const Dataset& data, double C, double most) {
  const Fit lbfgs = fit_text(data, C, "lbfgs"), newton = fit_text(data, C, "newton"),
            chosen = fit_text(data, C, "auto");
  EXPECT_EQ(lbfgs.outcome.termination, Termination::converged) << C;
  EXPECT_EQ(newton.outcome.termination, Termination::converged) << C;
  EXPECT_TRUE(verify(data, lbfgs.model).holds) << C;
  EXPECT_LE(lbfgs.outcome.last.passes, 0.5 * newton.outcome.last.passes) << C;
  EXPECT_LE(lbfgs.outcome.last.passes, most) << C;
  EXPECT_EQ(chosen.outcome.method, "lbfgs") << C;
}

TEST(LbfgsOnText, takes_at_most_half_of_the_passes_of_newton_on_reuters) {
  if (const std::string why = test::skip_reason("reuters-moneyfx"); !why.empty()) GTEST_SKIP() << why;
  const Dataset data = read_dataset(test::path_of("reuters-moneyfx").string());
  expect_half_of_newton(data, 100, 55);
  expect_half_of_newton(data, 1000, 100);
  expect_half_of_newton(data, 1e4, 175);
}

// Classes 1 to 10 against the others, rows of length 1.
TEST(WholeLbfgsOnText, takes_at_most_half_of_the_passes_of_newton_on_news20) {
  if (const std::string why = test::skip_reason("news20"); !why.empty()) GTEST_SKIP() << why;
  Dataset data = read_dataset(test::path_of("news20").string());
  for (double& label : data.labels) label = label <= 10 ? 1 : -1;
  data = apply(fit_transform(data, Scaling::rows, false), data);
  expect_half_of_newton(data, 100, 50);
  expect_half_of_newton(data, 1e4, 190);
}

}  // namespace lbfgs_test
}  // namespace seesaw
