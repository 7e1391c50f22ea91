// The runs of a study, and when two of them are equal.
#include "study/plan.h"

#include <gtest/gtest.h>

#include <set>

#include "run/lines.h"
#include "seesaw/error.h"
#include "solvers/catalog.h"
#include "unit/study/studies.h"

namespace seesaw {
namespace plan_test {

using test::competitors_of;
using test::objective_of;
using test::problem_of;

TEST(Competitor, has_options_after_colons) {
  const Competitor one = competitor("spdc:batch=4:step-constant=0.5");
  EXPECT_EQ(one.label, "spdc --batch 4 --step-constant 0.5");
  EXPECT_EQ(one.solver.name, "spdc");
  EXPECT_EQ(one.solver.options, (OptionValues{{"batch", "4"}, {"step-constant", "0.5"}}));
  EXPECT_EQ(competitor("sdca").label, "sdca");
}

TEST(Competitor, that_is_unknown_is_refused) {
  for (const char* text : {"", "sdcb", "sdca:", "sdca:batch", "sdca:bach=4", "sdca::", "all:batch=4"})
    EXPECT_THROW(competitor(text), InvalidOption) << text;
}

TEST(Competitor, of_a_family_is_found_by_any_spelling) {
  for (const char* name : {"dual ascent", "dual-ascent", "dual_ascent"}) {
    const auto found = competitors_of_family(name);
    ASSERT_FALSE(found.empty());
    for (const Competitor& one : found) EXPECT_EQ(recipe_named(one.solver.name).engine, "dual_ascent");
  }
  EXPECT_THROW(competitors_of_family("dual"), InvalidOption);
  EXPECT_EQ(all_competitors().size(), catalog().size());
}

TEST(Plan, has_one_run_per_seed_of_random_methods) {
  const Plan plan = make_plan({problem_of(objective_of("logistic", 0.1))}, competitors_of({"sdca", "bpd"}), 3, {});
  ASSERT_EQ(plan.runs.size(), 4);
  for (std::size_t k = 0; k < 3; ++k) EXPECT_EQ(plan.runs[k].solver.seed, k + 1);
  EXPECT_EQ(plan.runs[3].label, "bpd");
}

TEST(Plan, has_the_reason_why_a_method_is_not_run) {
  const auto problem = problem_of(objective_of("logistic", 0.1));
  const Plan plan = make_plan({problem}, competitors_of({"ws", "sdca"}), 1, {});
  EXPECT_EQ(plan.runs.size(), 1);
  ASSERT_EQ(plan.refused.size(), 1);
  const Json line = Json::parse(plan.refused[0].line());
  EXPECT_EQ(line["refused"], "ws");
  EXPECT_EQ(line["label"], "ws");
  EXPECT_EQ(line["problem"], problem->name);
  EXPECT_TRUE(line["why"].get<std::string>().starts_with("ws needs l1 > 0"));
}

TEST(Plan, has_duplicates_once) {
  const auto problem = problem_of(objective_of("logistic", 0.1));
  const auto again = problem_of(objective_of("logistic", 0.1));
  const Plan plan = make_plan({problem, again}, competitors_of({"sdca", "ws", "sdca"}), 2, {});
  EXPECT_EQ(plan.runs.size(), 2);
  EXPECT_EQ(plan.refused.size(), 1);
}

TEST(Key, differs_for_every_change_of_a_run) {
  const Dataset data = test::random_data(40, 5, Target::sign, 3);
  const auto planned = [](const PreparedData& prepared, const Objective& objective, const char* method = "spdc",
                          const Criteria& criteria = {}, std::uint64_t seed = 1) {
    PlannedRun run{make_study_problem(prepared, objective), competitor(method).solver, criteria,
                   competitor(method).label};
    run.solver.seed = seed;
    return key_of(run);
  };
  const PreparedData plain = test::prepared_of(data);
  const Objective usual = objective_of("smooth-hinge", 0.1);
  const auto with = [&](const auto& change) {
    Objective objective = usual;
    change(objective);
    return objective;
  };
  Dataset other_label = data;
  other_label.labels[0] = other_label.labels[0] == 5 ? 2 : 5;
  Dataset weighted = data;
  weighted.weights.assign(data.n(), 1);
  weighted.weights[1] = 2;
  PreparedData float32 = plain;
  float32.reading = " --float32";

  const std::vector<std::string> keys = {
      planned(plain, usual),
      planned(test::prepared_of(other_label), usual),
      planned(test::prepared_of(weighted), usual),
      planned(float32, usual),
      planned(prepare(data, Scaling::rows, false), usual),
      planned(plain, with([](Objective& o) { o.loss = "squared-hinge"; })),
      planned(plain, with([](Objective& o) { o.loss_parameter = 0.5; })),
      planned(plain, with([](Objective& o) { o.lambda = 0.1 + 1e-16; })),
      planned(plain, with([](Objective& o) { o.l1 = 0.01; })),
      planned(plain, with([](Objective& o) { o.intercept = Intercept::none; })),
      planned(plain, with([](Objective& o) { o.balanced = true; })),
      planned(plain, with([](Objective& o) { o.class_weights[5] = 2; })),
      planned(plain, usual, "sdca"),
      planned(plain, usual, "spdc:batch=4"),
      planned(plain, usual, "spdc:batch=5"),
      planned(plain, usual, "spdc", {.gap = 1e-5}),
      planned(plain, usual, "spdc", {.gap_abs = 1e-5}),
      planned(plain, usual, "spdc", {.max_passes = 10}),
      planned(plain, usual, "spdc", {.seconds = 10}),
      planned(plain, usual, "spdc", {.check_every = 2}),
      planned(plain, usual, "spdc", {}, 2),
  };
  EXPECT_EQ(std::set<std::string>(keys.begin(), keys.end()).size(), keys.size());
  EXPECT_EQ(planned(test::prepared_of(data), usual), keys.front());
}

TEST(StudyProblem, is_named_by_what_differs_from_the_defaults) {
  const Dataset data = test::random_data(40, 5, Target::sign, 3);
  const auto name = [&](const auto& change, Scaling scaling = Scaling::none) {
    Dataset copy = data;
    copy.source = "folder/some.svm";
    Objective objective = objective_of("smooth-hinge", 1e-4);
    change(objective);
    return make_study_problem(prepare(std::move(copy), scaling, objective.intercept == Intercept::penalized), objective)
        ->name;
  };
  EXPECT_EQ(name([](Objective&) {}), "some.svm, smooth-hinge, lambda 0.0001");
  EXPECT_EQ(name([](Objective& o) { o.loss_parameter = 0.25; }), "some.svm, smooth-hinge gamma 0.25, lambda 0.0001");
  EXPECT_EQ(name([](Objective& o) { o.l1 = 1e-3; }), "some.svm, smooth-hinge, lambda 0.0001, l1 0.001");
  EXPECT_EQ(name([](Objective& o) { o.lambda = 0.123456789; }), "some.svm, smooth-hinge, lambda 0.123456789");
  EXPECT_EQ(name([](Objective& o) { o.lambda.reset(); }), "some.svm, smooth-hinge, lambda 0.025");
  EXPECT_EQ(name([](Objective& o) {
              o.lambda.reset();
              o.C = 3;
            }),
            "some.svm, smooth-hinge, lambda 0.008333 (C 3)");
  EXPECT_EQ(name([](Objective& o) { o.lambda = 0; }), "some.svm, smooth-hinge, no penalty");
  EXPECT_EQ(name([](Objective& o) { o.intercept = Intercept::penalized; }, Scaling::rows),
            "some.svm, smooth-hinge, lambda 0.0001, intercept penalized, scale rows");
  EXPECT_EQ(name([](Objective& o) { o.balanced = true; }), "some.svm, smooth-hinge, lambda 0.0001, balanced classes");
  EXPECT_EQ(name([](Objective& o) { o.class_weights[5] = 2; }),
            "some.svm, smooth-hinge, lambda 0.0001, class 5 weight 2");
}

}  // namespace plan_test
}  // namespace seesaw
