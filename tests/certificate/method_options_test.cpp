// Properties of the options and requirements of every registered method.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "seesaw/error.h"
#include "solvers/catalog.h"
#include "support/problems.h"
#include "support/specs.h"

namespace seesaw {
namespace method_options_test {

using Names = std::set<std::string>;

Problem problem_of(const Dataset& data, const char* loss, double lambda, double l1) {
  Objective objective;
  objective.loss = loss;
  objective.lambda = lambda;
  objective.l1 = l1;
  objective.intercept = Intercept::none;
  return make_problem(data, objective);
}

// A problem that the method supports.
const Problem& one_of(const std::vector<Problem>& problems, const Recipe& recipe) {
  return *std::find_if(problems.begin(), problems.end(), [&](const Problem& p) { return !missing(recipe, p); });
}

TEST(EveryMethod, refuses_bad_values_of_each_of_its_options_and_names_the_option) {
  const Dataset data = test::random_data(30, 4, Target::sign, 6);
  const std::vector<Problem> problems = {problem_of(data, "smooth-hinge", 4.0, 0), problem_of(data, "hinge", 4.0, 0),
                                         problem_of(data, "smooth-hinge", 4.0, 0.01)};
  int refused = 0;
  for (const Recipe& recipe : catalog())
    for (const OptionInfo& option : recipe.options)
      for (const char* value : {"-1", "-1e-9", "nan", "inf", "-inf", "", "two", "1 2", "0x", "on off", "1e400"}) {
        const std::string what = fmt::format("{} --{} '{}'", recipe.name, option.name, value);
        try {
          make_solver(one_of(problems, recipe), {recipe.name, {{option.name, value}}, 1});
          ADD_FAILURE() << what << " was accepted";
        } catch (const InvalidOption& refusal) {
          EXPECT_NE(std::string(refusal.what()).find("`" + option.name + "`"), std::string::npos) << refusal.what();
          ++refused;
        }
      }
  EXPECT_GT(refused, 300);
}

TEST(EveryMethod, refuses_options_that_it_does_not_have) {
  const Dataset data = test::random_data(30, 4, Target::sign, 6);
  const std::vector<Problem> problems = {problem_of(data, "smooth-hinge", 4.0, 0), problem_of(data, "hinge", 4.0, 0),
                                         problem_of(data, "smooth-hinge", 4.0, 0.01)};
  for (const Recipe& recipe : catalog())
    EXPECT_THROW(make_solver(one_of(problems, recipe), {recipe.name, {{"colour", "red"}}, 1}), InvalidOption)
        << recipe.name;
}

TEST(EveryMethod, refuses_a_delta_of_1_and_batches_larger_than_the_data) {
  const Dataset data = test::random_data(30, 4, Target::sign, 6);
  const Problem problem = problem_of(data, "smooth-hinge", 4.0, 0);
  int deltas = 0, batches = 0;
  for (const Recipe& recipe : catalog())
    for (const OptionInfo& option : recipe.options) {
      const auto refuses = [&](const char* value) {
        EXPECT_THROW(make_solver(problem, {recipe.name, {{option.name, value}}, 1}), InvalidOption) << recipe.name;
        return 1;
      };
      if (option.name == "delta") deltas += refuses("1");
      if (option.name == "batch") batches += refuses("31");
    }
  EXPECT_EQ(deltas, 5);   // spdc-lis, spdc-ais, spdhg-ais, dspdc, spd1-vr
  EXPECT_EQ(batches, 2);  // spdc, adaspdc
}

// Written out, so that a lost capability is noticed.
TEST(CatalogSupport, of_problems_without_lambda_and_of_nonsmooth_losses) {
  const Dataset signs = test::random_data(60, 4, Target::sign, 6),
                numbers = test::random_data(60, 4, Target::number, 6);
  const auto able = [](const Problem& problem) {
    Names names;
    for (const Recipe& recipe : catalog())
      if (!missing(recipe, problem)) names.insert(recipe.name);
    return names;
  };
  const auto with = [](Names names, const Names& more) {
    names.insert(more.begin(), more.end());
    return names;
  };
  const Names smoothing = {"auto", "spdc-adaptive", "ada-bpd", "primal-ag"};
  const Names without_lambda = with(smoothing, {"sag", "saga", "svrg", "adf-spdc"}),
              squared = with(without_lambda, {"opt-bpd", "df-bpd", "df-spdc"});
  EXPECT_EQ(able(problem_of(signs, "logistic", 0, 0.01)), with(without_lambda, {"ws"}));
  EXPECT_EQ(able(problem_of(signs, "logistic", 0, 0)), with(without_lambda, {"newton"}));
  EXPECT_EQ(able(problem_of(numbers, "squared", 0, 0.01)), with(squared, {"ws"}));
  EXPECT_EQ(able(problem_of(numbers, "squared", 0, 0)), with(squared, {"newton"}));
  EXPECT_EQ(able(problem_of(signs, "hinge", 0, 0.01)), with(smoothing, {"ws"}));
  EXPECT_EQ(able(problem_of(signs, "hinge", 0, 0)), Names());

  Names all;
  for (const Recipe& recipe : catalog()) all.insert(recipe.name);
  EXPECT_EQ(all.size(), 34u);
  for (const char* name : {"newton", "lbfgs", "ssn", "rot", "cdcg", "ws", "aspdc"}) all.erase(name);
  EXPECT_EQ(able(problem_of(signs, "smooth-hinge", 4.0, 0.01)), with(all, {"ws", "aspdc"}));
  EXPECT_EQ(able(problem_of(signs, "smooth-hinge", 1e-3, 0.01)), with(all, {"ws"}));
  EXPECT_EQ(able(problem_of(signs, "smooth-hinge", 1e-3, 0)), with(all, {"newton", "lbfgs", "rot", "cdcg"}));
  EXPECT_EQ(able(problem_of(signs, "logistic", 1e-3, 0)), with(all, {"newton", "lbfgs", "rot"}));
  EXPECT_EQ(able(problem_of(signs, "hinge", 4.0, 0)), with(all, {"ssn", "rot", "cdcg"}));
  EXPECT_EQ(able(problem_of(signs, "hinge", 4.0, 0.01)), with(all, {"ws"}));
}

}  // namespace method_options_test
}  // namespace seesaw
