// PenaltySpec: factors and bounds per feature, against minimizers computed by hand.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "seesaw/seesaw.h"

namespace seesaw {
namespace penalty_test {

constexpr double unbounded = std::numeric_limits<double>::infinity();

// Rows (1, 1) and (0, 1), targets 1 and -2, lambda = 1/2. The gradient of 2 P is
//     (x1 + x2 - 1 + f1 x1,  x1 + x2 - 1 + x2 + 2 + f2 x2).
Data two_rows() {
  const std::vector<double> values = {1, 1, 0, 1}, labels = {1, -2};
  return Data::copy({.rows = 2, .features = 2, .values = values}, {labels});
}

Training ridge(PenaltySpec penalty) {
  penalty.lambda = 0.5;
  return {.loss = LossName::squared, .penalty = std::move(penalty), .intercept = Intercept::none, .gap = 1e-12};
}

void expect_weights(const PenaltySpec& penalty, double first, double second) {
  for (const char* solver : {"auto", "sdca", "saga"}) {
    if (std::string(solver) != "auto" && !penalty.factors.empty() && penalty.factors[0] == 0) continue;
    Training training = ridge(penalty);
    training.solver = solver;
    const Model model = train(two_rows(), training).model;
    EXPECT_NEAR(model.weights()[0], first, 1e-5) << solver;
    EXPECT_NEAR(model.weights()[1], second, 1e-5) << solver;
    EXPECT_TRUE(verify(two_rows(), model).holds) << solver;
  }
}

TEST(PenaltySpec, without_features_is_ridge) { expect_weights({}, 4.0 / 5, -3.0 / 5); }

TEST(PenaltySpec, factors_multiply_the_penalty_of_their_feature) {
  expect_weights({.factors = {3, 1}}, 4.0 / 11, -5.0 / 11);
  expect_weights({.factors = {0, 1}}, 2, -1);  // x1 + x2 = 1 without a penalty on x1
  expect_weights({.factors = {1, 1}}, 4.0 / 5, -3.0 / 5);
}

// The minimizer over the bounds is not the clipped one: x1 changes with x2.
TEST(PenaltySpec, bounds_are_kept_by_the_minimizer) {
  expect_weights({.nonnegative = true}, 1.0 / 2, 0);
  expect_weights({.lower = {-unbounded, -0.5}, .upper = {unbounded, unbounded}}, 3.0 / 4, -1.0 / 2);
  expect_weights({.lower = {-unbounded, -0.5}}, 3.0 / 4, -1.0 / 2);  // `upper` left out: none
  expect_weights({.upper = {0.25, unbounded}}, 1.0 / 4, -5.0 / 12);
  expect_weights({.factors = {3, 1}, .lower = {-1, -0.25}}, 5.0 / 16, -1.0 / 4);
  expect_weights({.lower = {-1, -1}, .nonnegative = true}, 1.0 / 2, 0);
}

TEST(PenaltySpec, bounds_are_those_of_the_weights_in_the_units_of_the_data) {
  Training training = ridge({.lower = {-0.125, -0.125}, .upper = {0.125, 0.125}});
  training.scaling = Scaling::columns_std;
  const Model model = train(two_rows(), training).model;
  EXPECT_NEAR(model.weights()[0], 0.125, 1e-9);
  EXPECT_NEAR(model.weights()[1], -0.125, 1e-9);
  EXPECT_LE(std::abs(model.weights()[1]), 0.125) << "not beyond the bound by rounding";
}

TEST(PenaltySpec, is_stored_in_the_model) {
  const Model model = train(two_rows(), ridge({.factors = {3, 1}, .lower = {-1, -unbounded}, .upper = {1, 2}})).model;
  for (const ObjectiveInfo& objective : {model.objective(), Model::from_bytes(model.to_bytes()).objective()}) {
    EXPECT_EQ(objective.factors, std::vector<double>({3, 1}));
    EXPECT_EQ(objective.lower, std::vector<double>({-1, -unbounded}));
    EXPECT_EQ(objective.upper, std::vector<double>({1, 2}));
  }
  const ObjectiveInfo uniform = train(two_rows(), ridge({})).model.objective();
  EXPECT_TRUE(uniform.factors.empty() && uniform.lower.empty() && uniform.upper.empty());
}

TEST(PenaltySpec, refuses_numbers_by_the_name_of_the_field_and_the_feature) {
  const auto refused = [](const PenaltySpec& penalty) -> std::string {
    try {
      train(two_rows(), ridge(penalty));
    } catch (const InvalidArray& error) {
      EXPECT_NE(std::string(error.what()).find("`" + error.array + "`"), std::string::npos);
      return error.array + "[" + std::to_string(error.index) + "]";
    } catch (const ShapeError& error) {
      EXPECT_EQ(error.expected, 2U);
      return std::string(error.what()).substr(0, 9) + " " + std::to_string(error.actual);
    }
    return "nothing";
  };
  EXPECT_EQ(refused({.factors = {1, -1}}), "factors[1]");
  EXPECT_EQ(refused({.factors = {std::nan(""), 1}}), "factors[0]");
  EXPECT_EQ(refused({.factors = {1, unbounded}}), "factors[1]");
  EXPECT_EQ(refused({.lower = {0, 0.5}}), "lower[1]");
  EXPECT_EQ(refused({.lower = {0, 0.5}, .nonnegative = true}), "lower[1]");
  EXPECT_EQ(refused({.upper = {-0.5, 0}}), "upper[0]");
  EXPECT_EQ(refused({.upper = {std::nan(""), 0}}), "upper[0]");
  EXPECT_EQ(refused({.factors = {1, 1, 1}}), "`factors` 3");
  EXPECT_EQ(refused({.lower = {0}}), "`lower` h 1");
  EXPECT_EQ(refused({.upper = {1, 1, 1}, .nonnegative = true}), "`upper` h 3");
  EXPECT_THROW(
      train(two_rows(), {.loss = LossName::squared, .penalty = {.name = PenaltyName::none, .factors = {1, 2}}}), Error);
}

}  // namespace penalty_test
}  // namespace seesaw
