// Multiclass models: one-versus-rest, softmax and multiclass-hinge.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "seesaw/error.h"
#include "support/claims.h"
#include "support/expectations.h"
#include "support/table.h"

namespace seesaw {
namespace verify_classes_test {

using test::claim;
using test::contains;
using test::problems_of;
using test::sentence_of;
using test::Solved;
using test::table;

using Real = long double;
constexpr std::size_t K = 3;

// Row i is the i-th unit vector and has class i: the problem is symmetric in the classes.
Solved unit_rows(const std::string& loss) {
  Solved solved{.data = table({{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}), .model = {}};
  solved.data.labels = {2, 5, 7};
  solved.data.source = "train.svm";
  LinearModel& model = solved.model;
  model.objective.loss = loss;
  model.objective.lambda = 1;
  model.labels = {2, 5, 7};
  model.intercept = {0, 0, 0};
  model.n = 3;
  model.data_hash = content_hash(solved.data);
  for (std::size_t i = 0; i < K; ++i)
    for (std::size_t k = 0; k < K; ++k) {
      model.x.push_back(k == i ? 1.0 : -1.0);
      model.y.push_back(k == i ? -1.0 : 1.0);
    }
  return solved;
}

// Each class: mean (1 - b x_i)_+ + |x|^2/2 with p = 1 and x = b/3: P = 2/3 + 1/6 = D = 1 - 1/6.
Solved hinges() {
  Solved solved = unit_rows("hinge");
  for (double& x : solved.model.x) x /= 3;
  claim(solved.model, 2.5, 2.5);
  for (const double label : solved.model.labels) solved.model.classes.push_back({{5.0 / 6, 5.0 / 6, 0}, label});
  return solved;
}

// p = (0, 1/2, 1/2) of its own class and the others, x = -y/3: margins 1/2, |x|^2 = 1/2: P = 1/2 + 1/4 = D = 1 - 1/4.
Solved crammer_singer() {
  Solved solved = unit_rows("multiclass-hinge");
  for (double& y : solved.model.y) y = y < 0 ? -1 : 0.5;
  for (std::size_t at = 0; at < 9; ++at) solved.model.x[at] = -solved.model.y[at] / 3;
  claim(solved.model, 0.75, 0.75);
  return solved;
}

// p = (a, b, b) with b = (1 - a)/2 and x = -y/3: scores differ by (1 - a + b)/3 = (1 - a)/2, so a = 1/(1 + 2 exp(...)).
Solved softmax() {
  Solved solved = unit_rows("softmax");
  Real a = 0.5L;
  for (int step = 0; step < 200; ++step) a = 1 / (1 + 2 * std::exp((a - 1) / 2));
  const Real b = (1 - a) / 2;
  for (double& y : solved.model.y) y = static_cast<double>(y < 0 ? a - 1 : b);
  for (std::size_t at = 0; at < 9; ++at) solved.model.x[at] = -solved.model.y[at] / 3;
  const Real squares = 3 * ((1 - a) * (1 - a) + 2 * b * b) / 9;
  const Real value = std::log(1 + 2 * std::exp((a - 1) / 2)) + squares / 2;
  const Real dual = -(a * std::log(a) + 2 * b * std::log(b)) - squares / 2;
  EXPECT_NEAR(static_cast<double>(value - dual), 0, 1e-17);
  claim(solved.model, static_cast<double>(value), static_cast<double>(value));
  return solved;
}

TEST(VerifyClasses, analytic_optima_hold) {
  for (const Solved& solved : {hinges(), crammer_singer(), softmax()}) {
    SCOPED_TRACE(solved.model.objective.loss);
    EXPECT_EQ(problems_of(solved), "");
    const Verification verdict = verify(solved.data, solved.model);
    EXPECT_NEAR(verdict.primal, solved.model.certificate->primal, 1e-15);
    EXPECT_NEAR(verdict.gap, 0, 1e-15);
    EXPECT_EQ(verdict.classes.size(), solved.model.classes.size());
  }
  EXPECT_NEAR(verify(hinges().data, hinges().model).classes[1].primal, 5.0 / 6, 1e-15);
  EXPECT_EQ(verify(hinges().data, hinges().model).classes[1].label, 5);
}

TEST(VerifyClasses, optima_with_free_intercepts_hold) {
  for (Solved solved : {crammer_singer(), softmax()}) {  // by symmetry the optimal intercepts are 0
    solved.model.objective.intercept = Intercept::free;
    EXPECT_EQ(problems_of(solved), "");
  }
}

// ---- one-versus-rest ----------------------------------------------------------------------------------------------

TEST(VerifyClasses, a_class_with_too_small_a_gap_is_detected) {
  Solved solved = hinges();
  solved.model.x[0 * K + 2] = 0;  // of class 7 only
  solved.model.certificate->primal = 2.5 + 1.0 / 18;
  solved.model.certificate->gap = 1.0 / 18;
  solved.model.classes[2].primal = 5.0 / 6 + 1.0 / 18;
  solved.model.classes[2].gap = 1.0 / 18;
  EXPECT_EQ(problems_of(solved), "");
  solved.model.classes[2].gap = 0.05;
  EXPECT_EQ(problems_of(solved), "Class 7: The model claims a gap of 0.05, but the gap is 0.0555556.");
  // Another class cannot compensate for it.
  solved.model.classes[1].gap = 0.1;
  EXPECT_EQ(problems_of(solved), "Class 7: The model claims a gap of 0.05, but the gap is 0.0555556.");
}

TEST(VerifyClasses, a_wrong_sum_over_the_classes_is_detected) {
  Solved solved = hinges();
  solved.model.certificate->primal = 2.4;
  EXPECT_EQ(problems_of(solved), "All classes together: The model claims P = 2.4, but its weights give P = 2.5.");
  solved = hinges();
  solved.model.certificate->distance_bound = 0;
  EXPECT_EQ(problems_of(solved), "");
  solved.model.x[0] += 0.01;
  EXPECT_TRUE(contains(problems_of(solved), "All classes together: The model claims to be within "));
}

TEST(VerifyClasses, a_dual_variable_outside_its_domain_is_reported_with_class_and_row) {
  Solved solved = hinges();
  solved.model.y[1 * K + 0] = 1.001;
  EXPECT_TRUE(contains(problems_of(solved),
                       "Class 2: The dual point is not feasible: in row 2 it is 1.001, where the conjugate"));
}

TEST(VerifyClasses, an_unbalanced_class_is_detected) {
  Solved solved = hinges();
  solved.model.objective.intercept = Intercept::free;
  EXPECT_TRUE(contains(problems_of(solved), "Class 2: The model claims D = 0.833333, but its dual point gives D = "));
  EXPECT_TRUE(contains(problems_of(solved), "Class 7: "));
}

TEST(VerifyClasses, claims_for_other_classes_are_detected) {
  Solved solved = hinges();
  std::swap(solved.model.classes[0], solved.model.classes[1]);
  EXPECT_TRUE(contains(problems_of(solved), "The claim of class 5 is in the place of class 2"));
  solved.model.classes.pop_back();
  EXPECT_TRUE(contains(problems_of(solved), "claims for 2 single classes instead of 3"));
  solved = softmax();
  solved.model.classes = hinges().model.classes;
  EXPECT_TRUE(contains(problems_of(solved), "claims for 3 single classes instead of 0"));
}

// ---- softmax and multiclass-hinge ---------------------------------------------------------------------------------

TEST(VerifyClasses, a_block_outside_the_simplex_is_reported_with_its_row) {
  const char* const outside =
      "The dual point is not feasible: in row 2 the variables of the other classes must be nonnegative";
  for (const Solved& honest : {crammer_singer(), softmax()}) {
    Solved solved = honest;
    double* y = &solved.model.y[1 * K];
    y[2] += y[0] + 0.1;
    y[0] = -0.1;
    EXPECT_TRUE(contains(problems_of(solved), outside));
    solved = honest;
    y = &solved.model.y[1 * K];
    y[0] = y[1] = y[2] = 0.1;
    EXPECT_TRUE(contains(problems_of(solved), outside));
    solved.model.y[2 * K] = 3;
    EXPECT_TRUE(contains(problems_of(solved), "1 more rows have infeasible dual variables"));
    EXPECT_EQ(verify(solved.data, solved.model).dual, -std::numeric_limits<double>::infinity());
  }
}

TEST(VerifyClasses, the_own_class_is_computed_from_the_others) {
  Solved solved = crammer_singer();
  solved.model.y[0] = std::nextafter(-1.0, 0.0);
  EXPECT_EQ(problems_of(solved), "");
  solved.model.y[1] = std::nextafter(0.5, 1.0);  // the others sum to more than 1
  EXPECT_TRUE(contains(problems_of(solved), "in row 1 the variables of the other classes must be nonnegative"));
}

TEST(VerifyClasses, a_nonzero_sum_over_the_rows_lowers_the_dual_value) {
  for (Solved solved : {crammer_singer(), softmax()}) {
    solved.model.objective.intercept = Intercept::free;
    const double balanced = verify(solved.data, solved.model).dual;
    solved.model.y[1] -= 0.03;
    solved.model.y[2] += 0.03;
    EXPECT_TRUE(contains(problems_of(solved), "The model claims D = "));
    EXPECT_LT(verify(solved.data, solved.model).dual, balanced - 0.01);
  }
}

TEST(VerifyClasses, a_dual_point_outside_the_box_of_l1_is_reported_with_its_class) {
  Solved solved = crammer_singer();
  solved.model.objective.lambda = 0;
  solved.model.objective.l1 = 0.3;
  EXPECT_TRUE(contains(problems_of(solved),
                       "for feature 1 and class 2 |sum_i c_i y_i a_ij| is 0.333333, which exceeds l1 = 0.3"));
}

// ---- inconsistent models --------------------------------------------------------------------------------------------

TEST(VerifyClasses, inconsistent_labels_are_detected) {
  Solved solved = softmax();
  solved.model.labels = {2, 7, 5};
  EXPECT_TRUE(contains(problems_of(solved), "The loss softmax needs two or more labels in ascending order"));
  solved.model.labels = {2, 5, 8};
  EXPECT_TRUE(contains(problems_of(solved), "Row 3 has the label 7, but the model's labels are 2 and 5 and 8."));
  solved.model.labels = {2, 5};
  EXPECT_TRUE(contains(problems_of(solved), "The loss softmax needs two or more labels"));
  solved = hinges();
  solved.model.labels = {2, 5, 5};
  EXPECT_TRUE(contains(problems_of(solved), "One-versus-rest needs three or more labels in ascending order"));
  solved.model.objective.loss = "squared";
  EXPECT_TRUE(contains(problems_of(solved), "predicts one number, but the model has 3 outputs"));
}

TEST(VerifyClasses, arrays_of_wrong_size_are_detected) {
  Solved solved = softmax();
  solved.model.y.pop_back();
  EXPECT_TRUE(contains(problems_of(solved), "has 8 numbers, but the data has 3 rows and the model 3 outputs."));
  EXPECT_TRUE(std::isinf(verify(solved.data, solved.model).gap));
  solved = softmax();
  solved.model.x.push_back(0);
  EXPECT_TRUE(contains(problems_of(solved), "There are 10 weights, which is not a multiple of 3 outputs."));
  solved = softmax();
  solved.model.x.resize(6);
  EXPECT_TRUE(contains(sentence_of<Error>([&] { verify(solved.data, solved.model); }), "it has 3 features"));
}

TEST(VerifyClasses, an_intercept_without_a_free_intercept_is_detected) {
  for (Solved solved : {hinges(), crammer_singer(), softmax()}) {
    solved.model.intercept[2] = 0.5;
    EXPECT_TRUE(contains(problems_of(solved), "adds the intercept 0.5 to its scores"));
  }
}

}  // namespace verify_classes_test
}  // namespace seesaw
