#include "model/linear_model.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/rng.h"
#include "seesaw/error.h"
#include "support/expectations.h"
#include "support/table.h"

namespace seesaw {
namespace {

using test::all_near;
using test::all_storages;
using test::Matrix;
using test::says;
using test::sentence_of;
using test::Storage;
using test::table;

LinearModel classifier(std::vector<double> x, double intercept = 0) {
  LinearModel model;
  model.objective.loss = "logistic";
  model.labels = {3, 7};
  model.x = std::move(x);
  model.intercept = {intercept};
  return model;
}

// Floats, so that every storage has the same numbers.
Matrix random_matrix(std::size_t n, std::size_t d) {
  Rng rng(5);
  Matrix matrix(n, std::vector<double>(d));
  for (auto& row : matrix)
    for (double& value : row)
      if (rng.uniform() < 0.6) value = static_cast<float>(rng.normal());
  return matrix;
}

TEST(LinearModel, decision_is_the_product_with_the_weights_plus_the_intercept) {
  for (const Storage storage : all_storages)
    EXPECT_EQ(decision_values(classifier({2, -1}, 0.5), table({{1, 3}, {0, 0}, {-4, 0}}, storage)),
              (std::vector<double>{-0.5, 0.5, -7.5}));
}

TEST(LinearModel, decision_sees_the_features_as_training_saw_them) {
  const Matrix matrix = random_matrix(30, 5);
  for (const Scaling scaling : {Scaling::none, Scaling::rows, Scaling::max, Scaling::columns_max, Scaling::columns_std})
    for (const bool constant_feature : {false, true})
      for (const Storage storage : all_storages) {
        const Dataset data = table(matrix, storage);
        LinearModel model = classifier({0.3, -2, 0.7, 1.1, 0.4}, 0.25);
        if (constant_feature) model.x.push_back(-0.6);
        model.transform = fit_transform(data, scaling, constant_feature);

        const Dataset transformed = apply(model.transform, data);
        std::vector<double> expected(data.n());
        multiply(transformed.rows, model.x.data(), expected.data());
        for (double& z : expected) z += model.intercept[0];
        EXPECT_TRUE(all_near(decision_values(model, data), expected, 1e-14))
            << name_of(scaling) << (constant_feature ? " with the constant feature" : "");
      }
}

TEST(LinearModel, features_missing_in_narrower_data_count_as_zero) {
  const Matrix narrow = random_matrix(12, 3);
  Matrix wide = narrow;
  for (auto& row : wide) row.insert(row.end(), {0, 0});
  for (const Scaling scaling : {Scaling::none, Scaling::rows, Scaling::max, Scaling::columns_max, Scaling::columns_std})
    for (const bool constant_feature : {false, true}) {
      LinearModel model = classifier({0.3, -2, 0.7, 1.1, 0.4}, 0.25);
      if (constant_feature) model.x.push_back(-0.6);
      model.transform = fit_transform(table(random_matrix(30, 5)), scaling, constant_feature);
      for (const Storage storage : all_storages)
        EXPECT_TRUE(all_near(decision_values(model, table(narrow, storage)),
                             decision_values(model, table(wide, storage)), 1e-14))
            << name_of(scaling);
    }
}

TEST(LinearModel, data_wider_than_the_model_is_refused) {
  Dataset data = table({{1, 2, 3}});
  data.source = "test.svm";
  const std::string sentence = sentence_of<Error>([&] { decision_values(classifier({1, 1}), data); });
  EXPECT_TRUE(says(sentence, "test.svm has 3 features, but the model was trained on 2"));
}

TEST(LinearModel, the_constant_feature_is_not_expected_in_the_data) {
  LinearModel model = classifier({1, 1, 5});
  model.transform.constant_feature = true;
  EXPECT_EQ(model.features(), 2u);
  EXPECT_EQ(decision_values(model, table({{1, 2}})), std::vector<double>{8});
  EXPECT_THROW(decision_values(model, table({{1, 2, 3}})), Error);
}

TEST(LinearModel, rows_whose_squares_leave_the_range_of_double_are_scaled_to_length_1) {
  LinearModel model = classifier({1, 1});
  model.transform.scaling = Scaling::rows;
  const std::vector<double> z = decision_values(model, table({{3e-200, 4e-200}, {3e200, 4e200}, {0, 0}}));
  EXPECT_DOUBLE_EQ(z[0], 1.4);
  EXPECT_DOUBLE_EQ(z[1], 1.4);
  EXPECT_EQ(z[2], 0);
}

TEST(LinearModel, positive_scores_get_the_second_label_and_zero_the_first) {
  const LinearModel model = classifier({1});
  EXPECT_EQ(predicted_label(model, 0.1), 7);
  EXPECT_EQ(predicted_label(model, 0), 3);
  EXPECT_EQ(predicted_label(model, -0.1), 3);
}

TEST(LinearModel, a_regression_model_predicts_the_score_itself) {
  LinearModel model = classifier({1});
  model.objective.loss = "squared";
  model.labels.clear();
  EXPECT_EQ(predicted_label(model, -2.5), -2.5);
}

TEST(LinearModel, probability_is_the_logistic_function_of_the_score) {
  const LinearModel model = classifier({1});
  EXPECT_EQ(positive_probability(model, 0), 0.5);
  EXPECT_DOUBLE_EQ(positive_probability(model, 1), 0.7310585786300049);
  EXPECT_EQ(positive_probability(model, 1e4), 1);
  EXPECT_EQ(positive_probability(model, -1e4), 0);
}

TEST(LinearModel, only_logistic_models_have_probabilities) {
  LinearModel model = classifier({1});
  model.objective.loss = "hinge";
  EXPECT_TRUE(
      says(sentence_of<Error>([&] { positive_probability(model, 0); }), "the loss hinge and has no probabilities"));
}

TEST(LinearModel, solved_objective_has_every_choice_of_the_problem) {
  Dataset data = table({{1, 0}, {0, 1}, {1, 1}});
  data.labels = {2, 5, 5};
  Objective objective;
  objective.loss = "smooth-hinge";
  objective.loss_parameter = 0.5;
  objective.lambda = 0.25;
  objective.l1 = 0.125;
  objective.intercept = Intercept::none;
  objective.class_weights = {{2, 4}};
  const SolvedObjective solved = solved_objective(make_problem(data, objective));
  EXPECT_EQ(solved.loss, "smooth-hinge");
  EXPECT_EQ(solved.loss_parameter_name, "gamma");
  EXPECT_EQ(solved.loss_parameter, 0.5);
  EXPECT_EQ(solved.lambda, 0.25);
  EXPECT_EQ(solved.l1, 0.125);
  EXPECT_EQ(solved.intercept, Intercept::none);
  EXPECT_EQ(solved.class_weights, (std::map<double, double>{{2, 4}, {5, 1}}));
}

}  // namespace
}  // namespace seesaw
