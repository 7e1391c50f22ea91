#include <gtest/gtest.h>

#include <set>

#include "seesaw/error.h"
#include "solvers/catalog.h"
#include "solvers/options.h"
#include "solvers/parts/common/smoothing.h"
#include "solvers/parts/dual/running_mean.h"
#include "support/problems.h"

namespace seesaw {
namespace parts_test {

TEST(RunningMean, covers_at_least_the_last_half) {
  RunningMean mean(1);
  std::vector<double> value(1);
  for (int k = 1; k <= 1000; ++k) {
    mean.add([&](std::size_t) { return double(k); });
    mean.read(value);
    // The mean of first..k is (first + k) / 2; it contains at least the last half of the history, and not all of a long
    // history.
    const double first = 2 * value[0] - k;
    EXPECT_NEAR(first, double(RunningMean::left_out(std::size_t(k))) + 1, 1e-9) << k;
    EXPECT_LE(first, k / 2.0 + 1 + 1e-9) << k;
    if (k >= 4) {
      EXPECT_GT(first, 1) << k;
    }
  }
}

enum class Color { red, green };

TEST(Options, are_parsed_checked_and_listed_by_one_description) {
  const OptionValues given = {{"color", "green"}, {"fast", "on"}};
  OptionReader reader(given);
  Color color = Color::red;
  bool fast = false;
  reader.choice("color", color, {"red", "green"}, "of the thing");
  reader.on_off("fast", fast, "or slow");
  reader.finish("painter");
  EXPECT_EQ(color, Color::green);
  EXPECT_TRUE(fast);
  ASSERT_EQ(reader.described().size(), 2u);
  EXPECT_EQ(reader.described()[0].allowed, "red|green");
  EXPECT_EQ(reader.described()[0].standard, "red");
}

TEST(Options, refuses_unknown_names_and_values_and_lists_the_allowed_ones) {
  const OptionValues wrong_value = {{"color", "blue"}}, wrong_name = {{"hue", "red"}};
  Color color = Color::red;
  OptionReader first(wrong_value);
  EXPECT_THROW(first.choice("color", color, {"red", "green"}, ""), InvalidOption);
  OptionReader second(wrong_name);
  second.choice("color", color, {"red", "green"}, "");
  try {
    second.finish("painter");
    FAIL();
  } catch (const InvalidOption& error) {
    EXPECT_NE(std::string(error.what()).find("its options are: `color`"), std::string::npos) << error.what();
  }
}

TEST(CatalogNames, are_unique_and_found) {
  std::set<std::string> names;
  for (const Recipe& recipe : catalog()) {
    EXPECT_TRUE(names.insert(recipe.name).second) << recipe.name;
    EXPECT_EQ(&recipe_named(recipe.name), &recipe);
    EXPECT_FALSE(recipe.paper.empty());
    EXPECT_FALSE(describe(recipe.needs).empty());
  }
  EXPECT_TRUE(names.contains(std::string(default_solver)));
  EXPECT_THROW(recipe_named("sdcaa"), InvalidOption);
}

// At x = 0 the hinge is 1 in every row, smoothed by g it is 1 - g/2, and y = 0 adds nothing: the error is g/2.
TEST(Smoothing, starts_large_and_is_halved_when_its_error_is_half_of_the_gap) {
  const Dataset data = test::random_data(20, 3, Target::sign, 4);
  Objective objective;
  objective.loss = "hinge";
  objective.lambda = 1;
  objective.intercept = Intercept::none;
  const Problem problem = make_problem(data, objective);
  Smoothing smoothing(problem);
  EXPECT_TRUE(smoothing.needed());
  EXPECT_DOUBLE_EQ(smoothing.g(), 1e-2);
  EXPECT_FALSE(smoothing.aim(1e-8));  // a small target does not reduce the first g
  EXPECT_TRUE(smoothing.aim(1e-3));
  EXPECT_DOUBLE_EQ(smoothing.g(), 0.1);
  const Point zero{std::vector<double>(3), {0.0}, std::vector<double>(20)};
  EXPECT_FALSE(smoothing.on_check({{.primal = 1, .gap = 0.101}, 1e-3}, zero));
  EXPECT_TRUE(smoothing.on_check({{.primal = 1, .gap = 0.099}, 1e-3}, zero));
  EXPECT_DOUBLE_EQ(smoothing.g(), 0.05);
  objective.loss = "logistic";
  EXPECT_FALSE(Smoothing(make_problem(data, objective)).needed());
}

}  // namespace parts_test
}  // namespace seesaw
