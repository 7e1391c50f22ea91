#include "verify/verify.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "unit/verify/solved_by_hand.h"

namespace seesaw {
namespace verify_test {

using namespace by_hand;

TEST(Verify, analytic_optima_hold) {
  for (const Solved& solved : solved_by_hand()) {
    expect_holds(solved.data, solved.model);
    EXPECT_NEAR(verify(solved.data, solved.model).gap, 0, 1e-16);
  }
}

// 2 P / lambda overflows, the bound of the weights and of the intercept does not.
TEST(Verify, a_subnormal_lambda_bounds_the_intercept) {
  Solved solved = ridge_with_free_intercept();
  solved.model.objective.lambda = 5e-324;
  solved.model.x = {2};
  solved.model.y = {1e-170, 0};
  solved.model.certificate = Certificate{{0, -2e-8, 2e-8}};  // r = 5e-171, |a| |x*| <= sqrt(2 P / lambda) = 0
  solved.model.intercept = {2.0001};
  solved.model.certificate->primal = 0.5e-8;
  EXPECT_TRUE(std::isfinite(verify(solved.data, solved.model).dual));
  for (Dataset empty = data_of({{}, {}}, {0, 4}); double lambda : {5e-324, 1.0, 1e300}) {  // no features: D = P = 2
    LinearModel model = claiming(empty, 2, 2);
    model.objective = solved.model.objective;
    model.objective.lambda = lambda;
    model.intercept = {2};
    model.y = {2, std::nextafter(-2.0, 0.0)};
    EXPECT_NEAR(verify(empty, model).gap, 0, 1e-15);
  }
}

// The squares of the sums of a class or of all rows overflow, their norm does not.
TEST(Verify, large_features_bound_the_intercept) {
  const Dataset data = data_of({{1e154}, {1e154}, {1e154}, {1e154}}, {1, -1, 1, -1});
  LinearModel model = claiming(data, 0.5, 0);
  model.objective.loss = "squared";
  model.objective.lambda = 1;
  model.objective.intercept = Intercept::free;
  model.x = {0};
  model.y = {1e-170, 0, 0, 0};  // r = 2.5e-171, |b| <= 1e154 + 1
  EXPECT_NEAR(verify(data, model).dual, 0, 1e-15);
}

TEST(Verify, products_of_l1_and_weights_that_overflow_bound_the_dual_point) {
  const Matrix ones(8, std::vector<double>{1});
  const Dataset data = data_of(ones, {1, 1, 1, 1, -1, -1, -1, -3});
  for (const bool factors : {false, true}) {
    LinearModel model = claiming(data, 0.5 * 16 / 8, 0.5 * 16 / 8);  // x = 0, z - b = -b
    model.objective.loss = "squared";
    model.objective.lambda = 1;
    model.objective.l1 = 3e307;
    if (factors) model.objective.penalty_factors = {2};
    model.x = {0};
    model.y = {-1, -1, -1, -1, 1, 1, 1, 3};
    model.optimum = OptimumBounds{.radius = {1e-7}, .intercept = {{0, 0}}};
    expect_holds(data, model);
  }
}

TEST(Verify, a_subnormal_product_of_lambda_and_factor_proves_its_distance) {
  Solved solved = least_squares();
  solved.model.objective.lambda = 1e-300;
  solved.model.objective.penalty_factors = {1e-8};
  solved.model.x = {2.1};
  solved.model.certificate = Certificate{{0.51, 0.49, 0.02}};
  const double gap = verify(solved.data, solved.model).gap;
  ASSERT_TRUE(std::isfinite(gap));
  solved.model.certificate->distance_bound = std::sqrt(2 * gap / std::nextafter(1e-300 * 1e-8, 0.0)) * (1 + 1e-15);
  EXPECT_EQ(verify(solved.data, solved.model).problems, std::vector<std::string>{});
}

// exp(z_k - z) for differences whose own rounding error is above 1.
TEST(Verify, large_scores_have_a_softmax_loss) {
  const Dataset data = data_of({{1e20}, {-1e20}}, {1, 2});
  LinearModel model = claiming(data, 3e43, 0);
  model.objective.loss = "softmax";
  model.objective.lambda = 1e-30;
  model.labels = {1, 2};
  model.x = {-1e23, 1e23};
  model.intercept = {0, 0};
  model.y = {0, 0, 0, 0};
  EXPECT_NEAR(verify(data, model).primal, 2e43, 1e30);
}

// log(1 + e^-m) for large m: an error of the score changes it by little more than its derivative e^-m.
TEST(Verify, small_losses_are_bounded_relative_to_their_size) {
  const Dataset data = data_of({{0.1, 0.7}, {-0.1, -0.7}}, {1, -1});
  for (const double margin : {100.0, 300.0, 600.0}) {
    LinearModel model = claiming(data, 0, 0);
    model.objective.loss = "logistic";
    model.objective.lambda = 5e-324;
    model.labels = {-1, 1};
    model.x = {margin / 0.2, margin / 1.4};
    model.y = {0, 0};
    const double z = 0.1 * model.x[0] + 0.7 * model.x[1];
    EXPECT_NEAR(verify(data, model).primal / std::exp(-z), 1, 1e-10);
    model.objective.loss = "softmax";
    const Verification joint = [&] {
      LinearModel two = model;
      two.x = {-model.x[0] / 2, model.x[0] / 2, -model.x[1] / 2, model.x[1] / 2};
      two.intercept = {0, 0};
      two.y = {0, 0, 0, 0};
      return verify(data, two);
    }();
    EXPECT_NEAR(joint.primal / std::exp(-z), 1, 1e-10);
  }
}

// ---- tampering --------------------------------------------------------------------------------------------------

TEST(Verify, a_gap_that_is_too_small_is_detected) {
  Solved solved = ridge();
  solved.model.x = {1.1};
  solved.model.certificate = Certificate{{1.51, 1.5, 0.01}};
  expect_holds(solved.data, solved.model);
  solved.model.certificate->gap = 0.0099;
  expect_problem(solved.data, solved.model, "The model claims a gap of 0.0099, but the gap is 0.01.");
}

TEST(Verify, a_gap_that_is_too_large_holds) {
  Solved solved = ridge();
  solved.model.certificate->gap = 0.5;
  expect_holds(solved.data, solved.model);
}

TEST(Verify, claims_that_are_not_numbers_do_not_hold) {
  Solved solved = ridge();
  solved.model.certificate = Certificate{};
  expect_problem(solved.data, solved.model, "The model claims P = inf");
  solved.model.certificate->gap = std::numeric_limits<double>::quiet_NaN();
  expect_problem(solved.data, solved.model, "The model claims a gap of nan");
}

TEST(Verify, a_distance_that_the_gap_does_not_prove_is_detected) {
  Solved solved = ridge();
  solved.model.x = {1.1};
  solved.model.certificate = Certificate{{1.51, 1.5, 0.01}};
  solved.model.certificate->distance_bound = std::sqrt(2 * 0.01);
  expect_holds(solved.data, solved.model);
  solved.model.certificate->distance_bound = 0.1;
  expect_problem(solved.data, solved.model, "The model claims to be within 0.1 of the optimal weights");
  Solved unpenalized = least_squares();
  unpenalized.model.certificate->distance_bound = 1;
  expect_problem(unpenalized.data, unpenalized.model, "The model claims to be within 1 of the optimal weights");
}

TEST(Verify, a_changed_weight_is_detected) {
  for (Solved solved : solved_by_hand()) {
    solved.model.x[0] += 0.01;
    expect_problem(solved.data, solved.model, "but its weights give P = ");
    expect_problem(solved.data, solved.model, "The model claims a gap of 0, but the gap is ");
  }
}

TEST(Verify, a_changed_intercept_is_detected) {
  Solved solved = ridge_with_free_intercept();
  solved.model.intercept = {2.01};
  expect_problem(solved.data, solved.model, "but its weights give P = ");
  solved = ridge();
  solved.model.intercept = {0.5};
  expect_problem(solved.data, solved.model, "its objective has no free intercept");
}

TEST(Verify, an_unbalanced_dual_point_is_detected) {
  Solved solved = ridge_with_free_intercept();
  solved.model.y[0] = 1.01;
  // r = 0.005, P = 1.000025, X = sqrt(2 P): b* lies within 2 +- sqrt(2 P), so that D decreases by 0.005 (2 + 1.414...).
  expect_problem(solved.data, solved.model, "The model claims D = 1, but its dual point gives D = ");
  EXPECT_NEAR(verify(solved.data, solved.model).dual, 1 + 0.01 / 2 - 0.005 * (2 + 0) - 0.005 * std::sqrt(2.0), 0.02);
}

TEST(Verify, a_dual_point_outside_the_box_of_l1_is_detected) {
  Solved solved = lasso();
  solved.model.y[1] = -1.6;
  expect_problem(solved.data, solved.model, "for feature 1 |sum_i c_i y_i a_ij| is 0.55, which exceeds l1 = 0.5");
  solved = least_squares();
  solved.model.y[1] = -1.1;
  expect_problem(solved.data, solved.model,
                 "without a penalty sum_i c_i y_i a_ij must be 0, but for feature 1 it is 0.05");
}

TEST(Verify, a_dual_point_outside_its_domain_is_reported_with_its_row) {
  Solved solved = hinge();
  solved.model.y = {1.001, -1.001};
  expect_problem(solved.data, solved.model, "in row 1 it is 1.001, where the conjugate of the loss hinge is infinite");
  expect_problem(solved.data, solved.model, "1 more rows");
}

TEST(Verify, a_dual_point_outside_its_domain_by_one_bit_is_detected) {
  Solved solved = hinge();
  solved.model.y[1] = std::nextafter(-1.0, -2.0);
  expect_problem(solved.data, solved.model, "in row 2 it is -1.0000000000000002");
}

TEST(Verify, a_changed_objective_is_detected) {
  Solved solved = ridge();
  solved.model.objective.lambda = 0.5;
  expect_problem(solved.data, solved.model, "The model claims D = ");
  solved = hinge();
  solved.model.objective.loss = "squared-hinge";
  expect_problem(solved.data, solved.model, "The model claims D = ");
  solved = lasso();
  solved.model.objective.l1 = 0.4;
  expect_problem(solved.data, solved.model, "for feature 1");
  solved.model.objective.l1 = -1;
  expect_problem(solved.data, solved.model, "must be nonnegative numbers");
  solved = ridge();
  solved.model.objective.loss = "huber";
  expect_problem(solved.data, solved.model, "The loss huber cannot have the parameter 0");
  solved.model.objective.loss = "cubic";
  EXPECT_TRUE(contains(refusal_of(solved.data, solved.model), "does not support the loss cubic"));
  solved = ridge();
  solved.model.objective.intercept = Intercept::penalized;
  expect_problem(solved.data, solved.model, "the intercept penalized, which contradicts the transform");
}

TEST(Verify, changed_class_weights_are_detected) {
  Solved solved = hinge();
  solved.data = data_of({{-1}, {1}, {1}}, {2, 5, 2});
  // p = 1 in row 3 too (its margin is -x): P = (0 + 0 + 1 + x)/3 + x^2/2, x = 1/3 by v = (1 + 1 - 1)/3.
  LinearModel& model = solved.model;
  const double primal = (2.0 / 3 + 2.0 / 3 + 4.0 / 3) / 3 + 1.0 / 18;
  model = claiming(solved.data, primal, 1 - 1.0 / 18);
  model.objective.loss = "hinge";
  model.objective.lambda = 1;
  model.labels = {2, 5};
  model.x = {1.0 / 3};
  model.y = {1, -1, 1};
  expect_holds(solved.data, model);
  model.objective.class_weights = {{2, 1}, {5, 1}};
  expect_holds(solved.data, model);
  model.objective.class_weights = {{2, 1}, {5, 2}};
  expect_problem(solved.data, model, "The model claims D = ");
  model.objective.class_weights = {{2, 1}, {5, -1}};
  expect_problem(solved.data, model, "The weight of class 5 is -1");
}

TEST(Verify, changed_labels_are_detected) {
  Solved solved = hinge();
  solved.model.labels = {5, 2};
  expect_problem(solved.data, solved.model, "two labels in ascending order");
  solved.model.labels = {2, 6};
  expect_problem(solved.data, solved.model, "Row 2 has the label 5, but the model's labels are 2 and 6.");
  solved.model.labels = {};
  expect_problem(solved.data, solved.model, "two labels in ascending order");
  solved = ridge();
  solved.model.labels = {1, 3};
  expect_problem(solved.data, solved.model, "predicts numbers, but the model has class labels");
}

TEST(Verify, a_changed_transform_is_detected) {
  Solved solved = ridge();
  solved.model.transform.scaling = Scaling::max;
  solved.model.transform.factor = 1.5;
  expect_problem(solved.data, solved.model, "The rows were multiplied by 1.5, but the factor of this data is 1.");
  solved.model.transform.scaling = Scaling::columns_max;
  expect_problem(solved.data, solved.model, "The transform scales 0 columns, but the model has 1 features.");
  solved.model.transform.column_factors = {1};
  expect_problem(solved.data, solved.model, "The rows were multiplied by 1.5, but the factor of this data is 1.");
  solved.model.transform.factor = 1;
  expect_holds(solved.data, solved.model);
}

// The problem of a model is that of its own data: a claim on rows of another scale, although proved, is none on them.
TEST(Verify, scaling_factors_are_those_of_the_data) {
  Solved solved = ridge();
  solved.model.x = {2};
  solved.model.objective.lambda = 0.25;  // x/2 with lambda/4: the same problem in other units
  solved.model.certificate->distance_bound.reset();
  for (const Scaling scaling : {Scaling::columns_max, Scaling::columns_std}) {
    solved.model.transform.scaling = scaling;
    solved.model.transform.column_factors = {0.5};
    expect_problem(solved.data, solved.model, "Feature 1 was multiplied by 0.5, but its factor in this data is 1.");
  }
  Solved wider = ridge();  // a feature that the data does not have
  wider.model.x.push_back(0);
  wider.model.transform.scaling = Scaling::columns_max;
  wider.model.transform.column_factors = {1, 1};
  expect_holds(wider.data, wider.model);
  wider.model.transform.column_factors = {1, 2};
  expect_problem(wider.data, wider.model, "Feature 2 was multiplied by 2, but its factor in this data is 1.");
}

TEST(Verify, feature_names_are_those_of_the_data) {
  Solved solved = ridge();
  solved.data.feature_names = {"height\xff"};
  expect_holds(solved.data, solved.model);              // a model without names
  solved.model.feature_names = {"height\xef\xbf\xbd"};  // as it is written
  expect_holds(solved.data, solved.model);
  solved.model.feature_names = {"weight"};
  expect_problem(solved.data, solved.model, "The names of the features are not those of the data, in their order.");
  solved.data.feature_names.clear();
  expect_holds(solved.data, solved.model);
}

TEST(Verify, a_dual_point_of_wrong_size_is_detected) {
  Solved solved = ridge();
  solved.model.y.push_back(0);
  expect_problem(solved.data, solved.model, "The dual point has 3 numbers, but the data has 2 rows.");
  EXPECT_TRUE(std::isinf(verify(solved.data, solved.model).gap));
}

TEST(Verify, a_model_with_more_features_than_the_data_holds) {
  Solved solved = ridge();
  solved.model.x.push_back(0);
  expect_holds(solved.data, solved.model);
}

// ---- models that cannot be verified -----------------------------------------------------------------------------

TEST(Verify, a_model_without_certificate_is_refused) {
  Solved solved = ridge();
  solved.model.y.clear();
  EXPECT_TRUE(contains(refusal_of(solved.data, solved.model), "no dual point"));
  solved.model.certificate.reset();
  EXPECT_TRUE(contains(refusal_of(solved.data, solved.model), "has no certificate"));
}

TEST(Verify, other_data_is_refused) {
  const LinearModel model = ridge().model;
  EXPECT_TRUE(contains(refusal_of(data_of({{1}, {1}, {1}}, {1, 3, 3}), model),
                       "was not trained on train.svm: it has 3 rows, the training data had 2"));
  EXPECT_TRUE(contains(refusal_of(data_of({{1, 0}, {1, 0}}, {1, 3}), model), "it has 2 features"));
  const char* differ = "was not trained on train.svm: values, labels or row weights differ";
  EXPECT_TRUE(contains(refusal_of(data_of({{1}, {1.5}}, {1, 3}), model), differ));
  EXPECT_TRUE(contains(refusal_of(data_of({{1}, {1}}, {3, 1}), model), differ));
  Dataset weighted = ridge().data;
  weighted.weights = {1, 2};
  EXPECT_TRUE(contains(refusal_of(weighted, model), differ));
}

}  // namespace verify_test
}  // namespace seesaw
