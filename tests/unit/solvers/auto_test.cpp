#include "solvers/auto/auto_solver.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "run/run.h"
#include "solvers/catalog.h"
#include "support/problems.h"
#include "verify/verify.h"

namespace seesaw {
namespace auto_test {

Workload workload(LossShape loss, double n, double d, double row_entries, double condition) {
  return {.loss = loss,
          .shape = {n, d, n * row_entries, n * row_entries * row_entries / 2},
          .outputs = 1,
          .condition = condition,
          .lambda = true,
          .l1 = false};
}
std::string fastest(const Workload& w, double gap = 1e-6) { return estimates(w, {}, gap)[0].name; }

// The shapes of real data sets, with the fastest method measured on them.
TEST(Estimates, agree_with_the_fastest_measured_method) {
  using enum LossShape;
  EXPECT_EQ(fastest(workload(logistic, 32561, 123, 14, 14)), "newton") << "a9a, C = 1";
  EXPECT_EQ(fastest(workload(quadratic, 32561, 123, 14, 1400)), "newton") << "a9a, C = 100";
  EXPECT_EQ(fastest(workload(nonsmooth, 32561, 123, 14, 14)), "ssn") << "a9a, C = 1";
  EXPECT_EQ(fastest(workload(nonsmooth, 32561, 123, 14, 140000)), "ssn") << "a9a, C = 10000";
  EXPECT_EQ(fastest(workload(nonsmooth, 49749, 300, 12, 0.012)), "sdca") << "w8a, C = 0.001";
  EXPECT_EQ(fastest(workload(nonsmooth, 49749, 300, 12, 0.12)), "sdca") << "w8a, C = 0.01";
  EXPECT_EQ(fastest(workload(nonsmooth, 32561, 123, 14, 0.14)), "sdca") << "a9a, C = 0.01";
  EXPECT_EQ(fastest(workload(nonsmooth, 49990, 22, 13, 0.015)), "sdca") << "ijcnn1, C = 0.01";
  EXPECT_EQ(fastest(workload(nonsmooth, 10000, 54, 12, 0.049)), "sdca") << "covtype10k, C = 0.01";
  EXPECT_EQ(fastest(workload(nonsmooth, 10000, 54, 12, 4.9)), "ssn") << "covtype10k, C = 1";
  EXPECT_EQ(fastest(workload(nonsmooth, 7291, 256, 256, 2.1)), "sdca") << "usps, C = 0.01";
  EXPECT_EQ(fastest(workload(logistic, 49749, 300, 12, 0.12)), "lbfgs") << "w8a, C = 0.01";
  EXPECT_EQ(fastest(workload(logistic, 7770, 8315, 44, 0.01)), "lbfgs") << "reuters-moneyfx, C = 0.01";
  EXPECT_EQ(fastest(workload(logistic, 7291, 256, 256, 2.1)), "sdca") << "usps, C = 0.01";
  EXPECT_EQ(fastest(workload(nonsmooth, 15935, 62061, 80, 1)), "sdca") << "news20, C = 1";
  EXPECT_EQ(fastest(workload(logistic, 15935, 62061, 80, 1)), "sdca") << "news20, C = 1";
  EXPECT_EQ(fastest(workload(logistic, 15935, 62061, 80, 10)), "sdca") << "news20, C = 10";
  EXPECT_EQ(fastest(workload(logistic, 15935, 62061, 80, 30), 1e-4), "sdca") << "news20, C = 30";
  EXPECT_EQ(fastest(workload(logistic, 15935, 62061, 80, 100), 1e-4), "lbfgs") << "news20, C = 100";
  EXPECT_EQ(fastest(workload(logistic, 15935, 62061, 80, 100)), "lbfgs") << "news20, C = 100";
  EXPECT_EQ(fastest(workload(logistic, 15935, 62061, 80, 1e4)), "lbfgs") << "news20, C = 10000";
  EXPECT_EQ(fastest(workload(logistic, 7770, 8315, 44, 1)), "sdca") << "reuters-moneyfx, C = 1";
  EXPECT_EQ(fastest(workload(logistic, 7770, 8315, 44, 100)), "lbfgs") << "reuters-moneyfx, C = 100";
  EXPECT_EQ(fastest(workload(quadratic, 7770, 8315, 44, 200)), "cdcg") << "reuters-moneyfx, squared-hinge, C = 100";
  EXPECT_EQ(fastest(workload(logistic, 50000, 4000, 4000, 100)), "newton") << "dense, not measured for lbfgs";
  EXPECT_EQ(fastest(workload(nonsmooth, 15935, 62061, 80, 100)), "cdcg") << "news20, C = 100";
  EXPECT_EQ(fastest(workload(nonsmooth, 62, 2000, 2000, 2000)), "rot") << "colon-cancer, C = 1";
  EXPECT_EQ(fastest(workload(logistic, 72, 7129, 7129, 70)), "rot") << "leukemia, C = 0.01";
  Workload lasso = workload(quadratic, 1000, 100, 100, 10);
  lasso.l1 = true;
  EXPECT_EQ(fastest(lasso), "ws");
  const auto net = [](double n, double d, double row_entries, double condition) {
    Workload w = workload(nonsmooth, n, d, row_entries, condition);
    w.l1 = true;
    return w;
  };
  EXPECT_EQ(fastest(net(32561, 123, 14, 0.15)), "sdca") << "a9a, elastic net, C = 0.01";
  EXPECT_EQ(fastest(net(32561, 123, 14, 15)), "ws") << "a9a, elastic net, C = 1";
  EXPECT_EQ(fastest(net(7770, 8315, 44, 111)), "sdca") << "reuters-moneyfx, elastic net, C = 100";
  EXPECT_EQ(fastest(net(10000, 54, 12, 49)), "ws") << "covtype10k, elastic net, C = 1";
}

TEST(Estimates, agree_with_the_fastest_measured_method_for_the_squared_loss) {
  const auto of = [](double n, double d, double row_entries, double condition) {
    Workload w = workload(LossShape::quadratic, n, d, row_entries, condition);
    w.squared = true;
    return fastest(w);
  };
  EXPECT_EQ(of(49749, 300, 12, 0.12), "newton") << "w8a, C = 0.01";
  EXPECT_EQ(of(32561, 123, 14, 0.14), "newton") << "a9a, C = 0.01";
  EXPECT_EQ(of(10000, 54, 12, 0.049), "newton") << "covtype10k, C = 0.01";
  EXPECT_EQ(of(7291, 256, 256, 2.1), "newton") << "usps, C = 0.01";
  EXPECT_EQ(of(7770, 8315, 44, 0.01), "sdca") << "reuters-moneyfx, C = 0.01";
  EXPECT_EQ(of(15935, 62061, 80, 1), "sdca") << "news20, C = 1";
  EXPECT_EQ(of(7770, 8315, 44, 100), "newton") << "reuters-moneyfx, C = 100";
}

TEST(Estimates, agree_with_the_fastest_measured_method_for_softmax) {
  const auto of_classes = [](double classes, double n, double d, double row_entries, double condition, double gap) {
    Workload w = workload(LossShape::softmax, n, d, row_entries, condition);
    w.outputs = classes;
    return fastest(w, gap);
  };
  for (const double gap : {1e-4, 1e-6}) {
    for (const double condition : {0.025, 2.5, 36.0, 250.0})
      EXPECT_EQ(of_classes(6, 4435, 36, 36, condition, gap), "newton") << "dense, condition " << condition;
    EXPECT_EQ(of_classes(3, 2000, 180, 46, 46, gap), "newton") << "dna, C = 1";
    EXPECT_EQ(of_classes(10, 7291, 256, 256, 213, gap), "newton") << "usps, C = 1";
    EXPECT_EQ(of_classes(10, 10000, 778, 151, 1, gap), "sdca") << "mnist.t, unit rows, C = 1";
    EXPECT_EQ(of_classes(10, 7291, 256, 256, 2.1, gap), "sdca") << "usps, C = 0.01";
    EXPECT_EQ(of_classes(10, 7291, 256, 256, 21300, gap), "newton") << "usps, C = 100";
    EXPECT_EQ(of_classes(10, 10000, 778, 151, 100, gap), "lbfgs") << "mnist.t, unit rows, C = 100";
    EXPECT_EQ(of_classes(20, 15935, 62061, 80, 1, gap), "sdca") << "news20, unit rows, C = 1";
    EXPECT_EQ(of_classes(20, 15935, 62061, 80, 100, gap), "lbfgs") << "news20, unit rows, C = 100";
  }
}

TEST(Estimates, are_sorted_finite_and_not_empty) {
  using enum LossShape;
  for (const LossShape loss : {nonsmooth, quadratic, logistic, softmax, multiclass_hinge})
    for (const double n : {1.0, 100.0, 1e6})
      for (const double d : {1.0, 1000.0, 1e6})
        for (const double s : {1e-300, 1.0, 1e300})
          for (const auto& [lambda, l1] : {std::pair{true, false}, {true, true}, {false, true}, {false, false}}) {
            Workload w = workload(loss, n, d, std::min(d, 10.0), lambda ? s : infinity);
            w.lambda = lambda;
            w.l1 = l1;
            const std::vector<Estimate> all = estimates(w, {}, 1e-6);
            ASSERT_FALSE(all.empty());
            for (std::size_t k = 0; k < all.size(); ++k) {
              EXPECT_TRUE(std::isfinite(all[k].seconds) && all[k].passes > 0) << all[k].name;
              EXPECT_LE(all[k == 0 ? 0 : k - 1].seconds, all[k].seconds);
              EXPECT_NO_THROW(recipe_named(all[k].name));
            }
          }
}

TEST(PassesToGo, follow_the_latest_rate) {
  EXPECT_EQ(passes_to_go({{0, 1}}, 1e-3), 0) << "too little history";
  EXPECT_NEAR(passes_to_go({{0, 1}, {4, 1e-2}}, 1e-3), 2, 1e-12) << "two digits in 4 passes, one digit remains";
  // Fast at first, slow later: the later rate is used.
  EXPECT_NEAR(passes_to_go({{0, 1}, {5, 1e-2}, {10, 5e-3}}, 5e-4), 5 * std::log(10) / std::log(2), 1e-9);
  EXPECT_EQ(passes_to_go({{0, 1}, {5, 1e-2}, {10, 1e-2}}, 1e-3), infinity);
}

// With wrong estimates: dual ascent needs far more than 5 passes here.
TEST(Auto, switches_methods_if_the_gap_falls_more_slowly_than_estimated) {
  const Dataset data = test::random_data(400, 6, Target::sign, 8);
  Objective objective;
  objective.loss = "logistic";
  objective.C = 30;
  const Problem problem = make_problem(data, objective);
  SolverSpec spec{"auto", {}, 1};
  spec.gap = 1e-9;
  const auto solver = make_auto_solver(problem, spec, {}, {{"sdca", 1e-3, 5, ""}, {"newton", 2e-3, 20, ""}});
  Criteria criteria;
  criteria.gap = spec.gap;
  struct Listener final : Observer {
    void message(const std::string& sentence) override { messages.push_back(sentence); }
    std::vector<std::string> messages;
  } listener;
  const Outcome outcome = run(*solver, problem, criteria, {&listener});
  EXPECT_EQ(outcome.termination, Termination::converged);
  ASSERT_FALSE(listener.messages.empty());
  EXPECT_EQ(listener.messages[0].rfind("auto switched from sdca to newton after ", 0), 0u) << listener.messages[0];
  EXPECT_EQ(outcome.method, "sdca, newton");
  for (std::size_t k = 1; k < outcome.trace.size(); ++k) {
    EXPECT_GE(outcome.trace[k].passes, outcome.trace[k - 1].passes) << "passes of all methods together";
    EXPECT_LE(outcome.trace[k].gap, outcome.trace[k - 1].gap * (1 + 1e-12)) << "the point is kept";
  }
}

TEST(Auto, reports_the_selected_method_and_the_facts_that_decided) {
  const Dataset data = test::random_data(60, 4, Target::sign, 2);
  for (const auto& [loss, penalty, facts] :
       {std::tuple{"logistic", "l2", ": smooth loss, 4 features, condition estimate "},
        {"hinge", "l2", ": nonsmooth loss, 4 features, condition estimate "},
        {"squared-hinge", "l1", ": smooth loss, 4 features, l1 penalty (estimated "},
        {"logistic", "elastic-net", ": smooth loss, 4 features, elastic-net penalty, condition estimate "},
        {"logistic", "none", ": smooth loss, 4 features, no penalty (estimated "}}) {
    Objective objective;
    objective.loss = loss;
    objective.regularizer = penalty;
    const auto choice = choice_for(make_problem(data, objective), {"auto", {}, 1});
    ASSERT_TRUE(choice.has_value());
    EXPECT_EQ(choice->rfind("selected ", 0), 0u) << *choice;
    EXPECT_NE(choice->find(facts), std::string::npos) << *choice;
  }
}

TEST(Estimates, give_their_reason_in_numbers_that_can_be_checked) {
  using enum LossShape;
  const auto reason = [](const Workload& w) { return estimates(w, {}, 1e-6)[0].reason; };
  EXPECT_EQ(reason(workload(nonsmooth, 32561, 123, 14, 140000)),
            "nonsmooth loss, 123 features, condition estimate 1e5");
  EXPECT_EQ(reason(workload(nonsmooth, 49749, 300, 12, 1.2e-7)),
            "nonsmooth loss, 300 features, condition estimate 1e-7");
  EXPECT_EQ(reason(workload(nonsmooth, 49749, 300, 12, 0.012)),
            "nonsmooth loss, 300 features, condition estimate 0.012");
  EXPECT_EQ(reason(workload(nonsmooth, 62, 2000, 2000, 2000)),
            "62 rows, nonsmooth loss, 2000 features, condition estimate 2000");
}

TEST(Auto, supports_whatever_any_other_method_supports) {
  for (const LossKind& kind : loss_kinds())
    for (const char* penalty : {"l2", "l1", "elastic-net", "none"}) {
      const Dataset data = test::random_data(40, 3, kind.target, 5);
      Objective objective;
      objective.loss = kind.name;
      objective.regularizer = penalty;
      const Problem problem = make_problem(data, objective);
      bool any = false;
      for (const Recipe& recipe : catalog()) any = any || (recipe.name != "auto" && !missing(recipe, problem));
      EXPECT_EQ(!missing(recipe_named("auto"), problem), any) << kind.name << " " << penalty;
    }
}

}  // namespace auto_test
}  // namespace seesaw
