// What holds for the options and needs of every method, by its mere registration.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <set>

#include "seesaw/error.h"
#include "solvers/catalog.h"
#include "support/problems.h"
#include "support/specs.h"

namespace seesaw {
namespace {

using Names = std::set<std::string>;

Problem problem_of(const Dataset& data, const char* loss, double lambda, double l1) {
  Objective objective;
  objective.loss = loss;
  objective.lambda = lambda;
  objective.l1 = l1;
  objective.intercept = Intercept::none;
  return make_problem(data, objective);
}

// One that the method solves: some need l1 > 0.
Problem problem_for(const Recipe& recipe, const Dataset& data) {
  const Problem plain = problem_of(data, "smooth-hinge", 4.0, 0);
  return missing(recipe, plain) ? problem_of(data, "smooth-hinge", 4.0, 0.01) : plain;
}

TEST(EveryMethod, refuses_bad_values_of_each_of_its_options_and_names_the_option) {
  const Dataset data = test::random_data(30, 4, Target::sign, 6);
  int refused = 0;
  for (const Recipe& recipe : catalog()) {
    const Problem problem = problem_for(recipe, data);
    for (const OptionInfo& option : recipe.options)
      for (const char* value : {"-1", "-1e-9", "nan", "inf", "-inf", "", "two", "1 2", "0x", "on off", "1e400"}) {
        const std::string what = fmt::format("{} --{} '{}'", recipe.name, option.name, value);
        try {
          make_solver(problem, {recipe.name, {{option.name, value}}, 1});
          ADD_FAILURE() << what << " was accepted";
        } catch (const InvalidOption& refusal) {
          EXPECT_NE(std::string(refusal.what()).find("--" + option.name), std::string::npos) << refusal.what();
          ++refused;
        }
      }
  }
  EXPECT_GT(refused, 300);
}

TEST(EveryMethod, refuses_options_that_it_does_not_have) {
  const Dataset data = test::random_data(30, 4, Target::sign, 6);
  for (const Recipe& recipe : catalog())
    EXPECT_THROW(make_solver(problem_for(recipe, data), {recipe.name, {{"colour", "red"}}, 1}), InvalidOption)
        << recipe.name;
}

TEST(EveryMethod, refuses_a_share_of_1_and_batches_larger_than_the_data) {
  const Dataset data = test::random_data(30, 4, Target::sign, 6);
  const Problem problem = problem_of(data, "smooth-hinge", 4.0, 0);
  int shares = 0, batches = 0;
  for (const Recipe& recipe : catalog())
    for (const OptionInfo& option : recipe.options) {
      const auto refuses = [&](const char* value) {
        EXPECT_THROW(make_solver(problem, {recipe.name, {{option.name, value}}, 1}), InvalidOption) << recipe.name;
        return 1;
      };
      if (option.name == "delta") shares += refuses("1");
      if (option.name == "batch") batches += refuses("31");
    }
  EXPECT_EQ(shares, 5);   // spdc-lis, spdc-ais, spdhg-ais, dspdc, spd1-vr
  EXPECT_EQ(batches, 2);  // spdc, adaspdc
}

// Written out, so that a method that no longer takes what it took is noticed.
TEST(Catalog, says_who_solves_problems_without_lambda_and_with_kinks) {
  const Dataset signs = test::random_data(60, 4, Target::sign, 6),
                numbers = test::random_data(60, 4, Target::number, 6);
  const auto able = [](const Problem& problem) {
    Names names;
    for (const Recipe& recipe : catalog())
      if (!missing(recipe, problem)) names.insert(recipe.name);
    return names;
  };
  const Names adaptive = {"spdc-adaptive", "ada-bpd", "primal-ag"};
  Names without_lambda = adaptive;
  without_lambda.insert({"sag", "saga", "svrg"});
  Names squared = without_lambda;
  squared.insert("opt-bpd");
  Names with_l1 = without_lambda, squared_with_l1 = squared;
  with_l1.insert("ws");
  squared_with_l1.insert("ws");
  EXPECT_EQ(able(problem_of(signs, "logistic", 0, 0.01)), with_l1);
  EXPECT_EQ(able(problem_of(signs, "logistic", 0, 0)), without_lambda);
  EXPECT_EQ(able(problem_of(numbers, "squared", 0, 0.01)), squared_with_l1);
  EXPECT_EQ(able(problem_of(numbers, "squared", 0, 0)), squared);
  EXPECT_EQ(able(problem_of(signs, "hinge", 0, 0.01)), adaptive);
  EXPECT_EQ(able(problem_of(signs, "hinge", 0, 0)), Names());

  Names all;
  for (const Recipe& recipe : catalog()) all.insert(recipe.name);
  EXPECT_EQ(all.size(), 28u);
  EXPECT_EQ(able(problem_of(signs, "smooth-hinge", 4.0, 0.01)), all);
  all.erase("aspdc");
  EXPECT_EQ(able(problem_of(signs, "smooth-hinge", 1e-3, 0.01)), all);
  all.erase("ws");
  EXPECT_EQ(able(problem_of(signs, "hinge", 4.0, 0)), all);
}

}  // namespace
}  // namespace seesaw
