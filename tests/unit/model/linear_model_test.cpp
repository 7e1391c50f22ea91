#include "model/linear_model.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/rng.h"
#include "seesaw/error.h"
#include "support/expectations.h"
#include "support/table.h"

namespace seesaw {
namespace linear_model_test {

using test::all_near;
using test::all_storages;
using test::contains;
using test::Matrix;
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

// Labels 3, 7, 9; x_3 = (1, 0), x_7 = (-1, 3), x_9 = (0, -1).
LinearModel three_classes(const std::string& loss) {
  LinearModel model;
  model.objective.loss = loss;
  model.labels = {3, 7, 9};
  model.x = {1, -1, 0, 0, 3, -1};
  model.intercept = {0.5, 0, 0.25};
  return model;
}

double label_of(const LinearModel& model, const std::vector<double>& scores) {
  return predicted_label(model, scores.data());
}

std::vector<double> probabilities_of(const LinearModel& model, const std::vector<double>& scores) {
  return probabilities(model, scores.data());
}

// Exact in float, so that every storage has equal values.
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

TEST(LinearModel, decision_applies_the_scaling_of_training) {
  const Matrix matrix = random_matrix(30, 5);
  for (const Scaling scaling : {Scaling::none, Scaling::rows, Scaling::max, Scaling::columns_max, Scaling::columns_std})
    for (const double constant_feature : {0.0, 1.0, 2.5})
      for (const Storage storage : all_storages) {
        const Dataset data = table(matrix, storage);
        LinearModel model = classifier({0.3, -2, 0.7, 1.1, 0.4}, 0.25);
        if (constant_feature != 0) model.x.push_back(-0.6);
        model.transform = fit_transform(data, scaling, constant_feature);

        const Dataset transformed = apply(model.transform, data);
        std::vector<double> expected(data.n());
        multiply(transformed.rows, model.x.data(), expected.data());
        for (double& z : expected) z += model.intercept[0];
        EXPECT_TRUE(all_near(decision_values(model, data), expected, 1e-14))
            << name_of(scaling) << (constant_feature != 0 ? " with the constant feature" : "");
      }
}

TEST(LinearModel, features_missing_in_narrower_data_count_as_zero) {
  const Matrix narrow = random_matrix(12, 3);
  Matrix wide = narrow;
  for (auto& row : wide) row.insert(row.end(), {0, 0});
  for (const Scaling scaling : {Scaling::none, Scaling::rows, Scaling::max, Scaling::columns_max, Scaling::columns_std})
    for (const bool constant_feature : {false, true}) {
      LinearModel model = classifier({0.3, -2, 0.7, 1.1, 0.4}, 0.25);
      if (constant_feature != 0) model.x.push_back(-0.6);
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
  EXPECT_TRUE(contains(sentence, "test.svm has 3 features, but the model was trained on 2"));
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

TEST(LinearModel, positive_scores_predict_the_second_label_and_zero_the_first) {
  const LinearModel model = classifier({1});
  EXPECT_EQ(label_of(model, {0.1}), 7);
  EXPECT_EQ(label_of(model, {0}), 3);
  EXPECT_EQ(label_of(model, {-0.1}), 3);
}

TEST(LinearModel, a_regression_model_predicts_the_score_itself) {
  LinearModel model = classifier({1});
  model.objective.loss = "squared";
  model.labels.clear();
  EXPECT_EQ(label_of(model, {-2.5}), -2.5);
}

TEST(LinearModel, probability_is_the_logistic_function_of_the_score) {
  const LinearModel model = classifier({1});
  EXPECT_EQ(probabilities_of(model, {0}), (std::vector<double>{0.5, 0.5}));
  EXPECT_TRUE(all_near(probabilities_of(model, {1}), {0.2689414213699951, 0.7310585786300049}, 1e-16));
  EXPECT_EQ(probabilities_of(model, {1e4}), (std::vector<double>{0, 1}));
  EXPECT_EQ(probabilities_of(model, {-1e4}), (std::vector<double>{1, 0}));
}

TEST(LinearModel, only_logistic_and_softmax_models_have_probabilities) {
  for (const auto* kinds : {&loss_kinds(), &block_loss_kinds()})
    for (const LossKind& kind : *kinds) {
      LinearModel model = three_classes(std::string(kind.name));
      EXPECT_EQ(has_probabilities(model), kind.name == "logistic" || kind.name == "softmax");
      if (has_probabilities(model)) continue;
      EXPECT_TRUE(contains(sentence_of<Error>([&] {
                             probabilities_of(model, {0, 0, 0});
                           }),
                           "the loss " + model.objective.loss + " and has no probabilities"));
    }
}

// ---- multiclass ---------------------------------------------------------------------------------------------------

TEST(LinearModel, a_model_of_several_outputs_is_joint_or_one_versus_rest) {
  EXPECT_TRUE(three_classes("softmax").joint());
  EXPECT_TRUE(three_classes("multiclass-hinge").joint());
  EXPECT_FALSE(three_classes("softmax").one_versus_rest());
  EXPECT_TRUE(three_classes("hinge").one_versus_rest());
  EXPECT_FALSE(classifier({1}).one_versus_rest());
  EXPECT_EQ(three_classes("softmax").outputs(), 3u);
  EXPECT_EQ(three_classes("softmax").features(), 2u);
}

TEST(LinearModel, has_one_score_per_class) {
  for (const Storage storage : all_storages)
    EXPECT_EQ(decision_values(three_classes("softmax"), table({{1, 0}, {0, 2}, {0, 0}, {1, 1}}, storage)),
              (std::vector<double>{1.5, -1, 0.25, 0.5, 6, -1.75, 0.5, 0, 0.25, 1.5, 2, -0.75}));
}

TEST(LinearModel, several_scores_apply_the_scaling_of_training) {
  const Matrix matrix = random_matrix(30, 5);
  for (const Scaling scaling : {Scaling::none, Scaling::rows, Scaling::max, Scaling::columns_max, Scaling::columns_std})
    for (const bool constant_feature : {false, true}) {
      const Dataset data = table(matrix);
      LinearModel model = three_classes("softmax");
      Rng rng(6);
      model.x.clear();
      for (std::size_t at = 0; at < 3u * (constant_feature ? 6 : 5); ++at) model.x.push_back(rng.normal());
      model.transform = fit_transform(data, scaling, constant_feature);
      const std::vector<double> together = decision_values(model, data);
      for (std::size_t k = 0; k < 3; ++k) {  // as three models of one output
        LinearModel one = classifier({}, model.intercept[k]);
        one.transform = model.transform;
        for (std::size_t at = k; at < model.x.size(); at += 3) one.x.push_back(model.x[at]);
        std::vector<double> column;
        for (std::size_t at = k; at < together.size(); at += 3) column.push_back(together[at]);
        EXPECT_TRUE(all_near(column, decision_values(one, data), 1e-14)) << name_of(scaling) << k;
      }
    }
}

TEST(LinearModel, the_largest_score_decides_and_the_first_of_equal_ones) {
  for (const char* loss : {"softmax", "multiclass-hinge", "logistic", "squared-hinge"}) {
    const LinearModel model = three_classes(loss);
    EXPECT_EQ(label_of(model, {-3, -2, -4}), 7);
    EXPECT_EQ(label_of(model, {0, 0, 0}), 3);
    EXPECT_EQ(label_of(model, {0, 1, 1}), 7);
    EXPECT_EQ(label_of(model, {0, 1, 2}), 9);
  }
}

TEST(LinearModel, softmax_probabilities_are_exponentials_divided_by_their_sum) {
  const LinearModel model = three_classes("softmax");
  const double sum = 1 + 2 + std::exp(-1);
  EXPECT_TRUE(all_near(probabilities_of(model, {0, std::log(2), -1}), {1 / sum, 2 / sum, std::exp(-1) / sum}, 1e-15));
  EXPECT_EQ(probabilities_of(model, {1e4, 0, -1e4}), (std::vector<double>{1, 0, 0}));
  EXPECT_TRUE(all_near(probabilities_of(model, {-1e4, -1e4, -1e4}), {1.0 / 3, 1.0 / 3, 1.0 / 3}, 1e-15));
}

TEST(LinearModel, one_versus_rest_probabilities_are_those_of_each_class_divided_by_their_sum) {
  const LinearModel model = three_classes("logistic");
  const auto sigmoid = [](double z) { return 1 / (1 + std::exp(-z)); };
  const double sum = sigmoid(0.5) + sigmoid(-1) + sigmoid(2);
  EXPECT_TRUE(all_near(probabilities_of(model, {0.5, -1, 2}), {sigmoid(0.5) / sum, sigmoid(-1) / sum, sigmoid(2) / sum},
                       1e-15));
  // Each of the three underflows to 0; normalized together they do not.
  EXPECT_TRUE(all_near(probabilities_of(model, {-1e4, -1e4, -2e4}), {0.5, 0.5, 0}, 1e-15));
  EXPECT_TRUE(all_near(probabilities_of(model, {1e4, 1e4, 0}), {0.4, 0.4, 0.2}, 1e-15));
}

TEST(LinearModel, two_classes_of_softmax_have_the_probabilities_of_their_difference) {
  LinearModel model = classifier({1, -1});
  model.objective.loss = "softmax";
  model.intercept = {0, 0};
  EXPECT_TRUE(all_near(probabilities_of(model, {0.25, 1.25}), {0.2689414213699951, 0.7310585786300049}, 1e-15));
  EXPECT_EQ(label_of(model, {0.25, 1.25}), 7);
  EXPECT_EQ(label_of(model, {1, 1}), 3);
}

TEST(LinearModel, solved_objective_has_every_setting_of_the_problem) {
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

}  // namespace linear_model_test
}  // namespace seesaw
