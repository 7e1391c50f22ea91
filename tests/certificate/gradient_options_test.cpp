// Options of the primal gradient methods: the same optimum with each, refusals, and messages before a run.
#include <gtest/gtest.h>

#include "seesaw/error.h"
#include "support/problems.h"
#include "support/specs.h"
#include "verify/verify.h"

namespace seesaw {
namespace gradient_options_test {

using test::spec_of;

const char* const all_methods[] = {"sag", "saga", "svrg", "katyusha"};

TEST(PrimalGradient, every_step_and_draw_reaches_the_same_optimum) {
  const Dataset data = test::random_data(100, 5, Target::sign, 6);
  std::vector<double> optima;
  for (const char* method : all_methods)
    for (const char* step : {"0.05", "0.3"})
      for (const char* draw : {"iid", "permutation"}) {
        if (std::string(method) == "sag" && std::string(draw) == "permutation") continue;  // may not converge
        FitSpec spec = spec_of(recipe_named(method), loss_kind("logistic"), 0.02, 0.01, Intercept::free);
        spec.solver.options = {{"step", step}, {"draw", draw}};
        const Fit result = fit(data, spec);
        EXPECT_EQ(result.outcome.termination, Termination::converged) << method << " " << step << " " << draw;
        EXPECT_TRUE(verify(data, result.model).holds);
        optima.push_back(result.outcome.certificate.primal);
      }
  for (const double primal : optima) EXPECT_NEAR(primal, optima[0], 2e-8);
}

TEST(PrimalGradient, refuses_bad_parameters_before_the_run) {
  const Dataset data = test::random_data(40, 5, Target::sign, 6);
  for (const char* method : all_methods) {
    FitSpec spec = spec_of(recipe_named(method), loss_kind("logistic"), 0.05, 0, Intercept::none);
    for (const OptionValues& bad : std::vector<OptionValues>{{{"step", "0"}},
                                                             {{"step", "-0.1"}},
                                                             {{"step", "nan"}},
                                                             {{"step", "inf"}},
                                                             {{"step", "long"}},
                                                             {{"draw", "cyclic"}},
                                                             {{"batch", "2"}}}) {
      spec.solver.options = bad;
      EXPECT_THROW(fit(data, spec), InvalidOption) << method << " " << bad.begin()->first << " " << bad.begin()->second;
    }
  }
}

TEST(PrimalGradient, refuses_nonsmooth_losses_without_lambda_and_names_alternatives) {
  const Dataset data = test::random_data(40, 5, Target::sign, 6);
  for (const char* method : {"sag", "saga", "svrg"}) {
    const FitSpec spec = spec_of(recipe_named(method), loss_kind("hinge"), 0, 0.02, Intercept::none);
    try {
      fit(data, spec);
      ADD_FAILURE() << method;
    } catch (const Unsupported& refusal) {
      const std::string sentence = refusal.what();
      EXPECT_NE(sentence.find("needs lambda > 0 or a smooth loss"), std::string::npos) << sentence;
      EXPECT_NE(sentence.find("`solver` ws, spdc-adaptive"), std::string::npos) << sentence;
    }
  }
}

TEST(PrimalGradient, reports_cost_and_risk_before_the_run) {
  const auto message = [](const char* method, double l1, const OptionValues& options, std::size_t d) {
    const Dataset data = test::table(test::Matrix(10, [&] {
      std::vector<double> row(d);
      row[0] = row[1] = 1;
      return row;
    }()));
    Objective objective;
    objective.loss = "squared";
    objective.lambda = 0.1;
    objective.l1 = l1;
    objective.intercept = Intercept::none;
    const Problem problem = make_problem(data, objective);
    return message_for(problem, {method, options, 1}).value_or("");
  };
  const std::string cost = message("katyusha", 0.1, {}, 1000);
  EXPECT_NE(cost.find("all 1000 features"), std::string::npos) << cost;
  EXPECT_NE(cost.find("only 2 of them"), std::string::npos) << cost;
  EXPECT_NE(cost.find("500 times"), std::string::npos) << cost;
  EXPECT_EQ(message("katyusha", 0, {}, 1000), "");
  EXPECT_EQ(message("katyusha", 0.1, {}, 4), "");
  EXPECT_EQ(message("svrg", 0.1, {}, 1000), "");
  EXPECT_NE(message("sag", 0, {{"draw", "permutation"}}, 10).find("may not converge"), std::string::npos);
  EXPECT_EQ(message("sag", 0, {}, 10), "");
}

}  // namespace gradient_options_test
}  // namespace seesaw
