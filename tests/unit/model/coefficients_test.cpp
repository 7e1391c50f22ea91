#include "model/coefficients.h"

#include <gtest/gtest.h>

namespace seesaw {
namespace coefficients_test {

LinearModel model_of(std::vector<double> x) {
  LinearModel model;
  model.x = std::move(x);
  return model;
}

std::vector<std::size_t> features(const std::vector<Coefficient>& list) {
  std::vector<std::size_t> numbers;
  for (const Coefficient& one : list) numbers.push_back(one.feature);
  return numbers;
}

TEST(Coefficients, are_ordered_by_absolute_value_without_zeros) {
  const LinearModel model = model_of({0.5, 0, -3, 0.25, 3});
  const auto all = largest_coefficients(model, 10);
  EXPECT_EQ(features(all), (std::vector<std::size_t>{2, 4, 0, 3}));  // of equal ones the first
  EXPECT_EQ(all[0].value, -3);
  EXPECT_EQ(all[0].unscaled, -3);
  EXPECT_FALSE(all[0].label.has_value());
  EXPECT_EQ(features(largest_coefficients(model, 2)), (std::vector<std::size_t>{2, 4}));
  EXPECT_TRUE(largest_coefficients(model_of({0, 0}), 5).empty());
}

TEST(Coefficients, have_the_names_and_classes_of_their_features) {
  LinearModel model = model_of({1, -2, 0, 4, 5, 0});  // three features, two outputs
  model.intercept = {0.5, -0.5};
  model.labels = {3, 7};
  model.feature_names = {"a", "b"};  // fewer than there are features
  const auto list = largest_coefficients(model, 10);
  ASSERT_EQ(features(list), (std::vector<std::size_t>{2, 1, 0, 0}));
  EXPECT_EQ(list[0].name, "");
  EXPECT_EQ(list[0].label, 3);
  EXPECT_EQ(list[1].name, "b");
  EXPECT_EQ(list[1].label, 7);
  EXPECT_EQ(intercepts(model), (std::vector<double>{0.5, -0.5}));
}

TEST(Coefficients, are_ordered_as_trained_and_also_given_in_the_units_of_the_data) {
  LinearModel model = model_of({1, 2});
  model.transform.scaling = Scaling::columns_std;
  model.transform.column_factors = {10, 0.5};
  const auto list = largest_coefficients(model, 2);
  EXPECT_EQ(features(list), (std::vector<std::size_t>{1, 0}));
  EXPECT_EQ(list[0].value, 2);
  EXPECT_EQ(list[0].unscaled, 1);
  EXPECT_EQ(list[1].unscaled, 10);
}

TEST(Coefficients, exclude_the_constant_feature) {
  LinearModel model = model_of({1, 2, 8});
  model.transform.constant_feature = true;
  model.transform.scaling = Scaling::max;
  model.transform.factor = 0.5;
  EXPECT_EQ(features(largest_coefficients(model, 5)), (std::vector<std::size_t>{1, 0}));
  EXPECT_EQ(intercepts(model), (std::vector<double>{4}));
}

}  // namespace coefficients_test
}  // namespace seesaw
