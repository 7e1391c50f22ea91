// The rates of docs/solvers/: steps in which the bound of a theorem falls by a factor e, 1/(1 - theta), against the theta
// that the methods use.
#include <gtest/gtest.h>

#include <cmath>

#include "data/synthetic.h"
#include "solvers/catalog.h"
#include "solvers/parts/steps/column_facts.h"
#include "solvers/parts/steps/spectral_norm.h"

namespace seesaw {
namespace rates_test {

struct Setting {
  Dataset data;
  Problem problem;
  RowFacts facts;
  double n, gamma, c, ratio;  // c = lambda n gamma/R^2, Rmean/R

  Setting(const std::string& loss, double lambda)
      : data(rows(loss)),
        problem(make_problem(data, objective(loss, lambda))),
        facts(problem),
        n(facts.m),
        gamma(problem.gamma()),
        c(lambda * n * gamma / (facts.largest * facts.largest)),
        ratio(facts.mean / facts.largest) {}

  // Steps per factor e.
  double steps(const std::string& method, const OptionValues& options = {}) const {
    const auto solver = make_solver(problem, {method, options, 1});
    for (const Diagnostic& value : solver->diagnostics().values)
      if (value.name == std::string("theta")) return 1 / (1 - value.value);
    return NAN;
  }
  double passes(const std::string& method, const OptionValues& options = {}) const {
    return steps(method, options) / n;
  }

 private:
  static Dataset rows(const std::string& loss) {
    SynthOptions options;
    options.n = 300;
    options.d = 40;
    options.task = loss == "squared" ? Task::regression : Task::classification;
    return synthesize("decay", options);
  }
  static Objective objective(const std::string& loss, double lambda) {
    Objective objective;
    objective.loss = loss;
    objective.lambda = lambda;
    objective.intercept = Intercept::none;
    return objective;
  }
};

template <class Check>
void for_each_setting(const Check& check) {
  for (const char* loss : {"squared", "smooth-hinge", "logistic"})
    for (const double lambda : {1e-1, 1e-3, 1e-6}) {
      SCOPED_TRACE(std::string(loss) + " lambda " + std::to_string(lambda));
      check(Setting(loss, lambda));
    }
}

TEST(Rates, of_the_stochastic_primal_dual_methods) {
  for_each_setting([](const Setting& s) {
    const double root = 1 / std::sqrt(s.c), tolerance = 1e-9 * (1 + root);
    EXPECT_NEAR(s.passes("spdc"), 1 + root, tolerance);
    EXPECT_NEAR(4 * s.passes("spdc", {{"batch", "4"}}), 1 + 2 * root, tolerance);
    EXPECT_NEAR(s.passes("spdc-nu"), 2 + 2 * s.ratio * root, tolerance);
    EXPECT_NEAR(s.passes("df-spdc"), 1 + 8 * root, tolerance);
    EXPECT_NEAR(s.passes("spdc-ais", {{"steps", "theorem1"}}), (1 + 2 * root) / 0.2, 10 * tolerance);
    for (const auto& [method, k] : {std::pair("spdc-opt", 0.25), std::pair("spdhg", 0.98)}) {
      double mean = 0;
      for (const std::uint32_t i : s.facts.drawable)
        mean += (1 + std::sqrt(1 + s.facts.square[i] / (s.n * k * s.facts.lambda * s.gamma))) / 2 / s.n;
      EXPECT_NEAR(s.passes(method), mean, tolerance) << method;
      EXPECT_LE(mean, 1 + s.ratio * root / (2 * std::sqrt(k))) << method;
    }
  });
}

TEST(Rates, of_the_batch_primal_dual_methods) {
  for_each_setting([](const Setting& s) {
    const double N = spectral_norm(s.problem, 0), x = N / std::sqrt(s.facts.lambda * s.gamma);
    const double theta = 1 - 1 / s.steps("bpd"), iterations = -1 / std::log(theta);
    EXPECT_GE(iterations, x / 2 * (1 - 1e-9));
    EXPECT_LE(iterations, x / 2 + 0.5 + 1e-6 * x);
    EXPECT_NEAR(s.steps("df-bpd"), 1 + 2 * x, 1e-9 * (1 + x));
    EXPECT_LE(N, 1.01 * s.facts.largest * (1 + 1e-9));  // N <= R; 1 % is added to the computed norm
  });
}

TEST(Rates, of_the_doubly_stochastic_method) {
  for_each_setting([](const Setting& s) {
    const ColumnFacts columns(s.problem, s.facts);
    const double root = std::sqrt(s.n / (s.facts.lambda * s.gamma)) * columns.largest_entry;
    EXPECT_NEAR(s.steps("dspdc", {{"step", "1"}}), std::max(s.n, columns.k) + columns.k * root, 1e-8 * (s.n + root));
  });
}

}  // namespace rates_test
}  // namespace seesaw
