// Wang & Xiao, Algorithm 4 of Ada-BPD, on rows like those of their Figure 1 in a smaller size: the verdict on its claim hangs on
// the first estimate of the strong convexity of the data, which the paper does not state (experiment bpd-start). P* by the
// normal equations.
#include <gtest/gtest.h>

#include "data/synthetic.h"
#include "data/transform.h"
#include "papers/direct_solve.h"
#include "run/fit.h"

namespace seesaw {
namespace first_estimate_test {

// P - P* after 200 passes at lambda = 1e-4/n, where the data add about 200 times lambda.
double height(const Dataset& data, double optimum, const std::string& solver, OptionValues options) {
  FitSpec spec;
  spec.objective.loss = "squared";
  spec.objective.lambda = 1e-4 / static_cast<double>(data.n());
  spec.objective.intercept = Intercept::none;
  spec.solver = {solver, std::move(options), 1};
  spec.criteria.gap = 0;
  spec.criteria.max_passes = 200;
  return fit(data, spec).outcome.last.latest_primal - optimum;
}

TEST(FirstEstimate, decides_whether_ada_bpd_is_faster_than_bpd) {
  SynthOptions options;
  options.n = 500;
  options.d = 300;
  options.noise = 0.1;
  options.task = Task::regression;
  const Dataset raw = synthesize("correlated", options);
  const Dataset data = apply(fit_transform(raw, Scaling::max, 0), raw);
  const double optimum = test::solve_ridge(data, 1e-4 / 500).primal;
  const auto adaptive = [&](const char* first) {
    return height(data, optimum, "ada-bpd", {{"rule", "robust"}, {"first-estimate", first}});
  };
  const double bpd = height(data, optimum, "bpd", {}), from_lambda = adaptive("lambda"), from_tenth = adaptive("0.1");
  EXPECT_GT(from_lambda, 0.1 * bpd);  // from lambda it is BPD, nearly
  EXPECT_LT(from_tenth, 1e-4 * bpd);  // from 0.1/n it converges
  EXPECT_GT(from_tenth, -1e-12);
}

}  // namespace first_estimate_test
}  // namespace seesaw
