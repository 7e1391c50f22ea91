#include "model/problem.h"

#include <gtest/gtest.h>

#include "model/describe_objective.h"
#include "model/intercept.h"
#include "seesaw/error.h"
#include "support/problems.h"

namespace seesaw {
namespace {

Dataset four_rows(std::vector<double> labels) {
  Dataset data = test::table({{1, 0}, {0, 1}, {1, 1}, {2, 0}});
  data.labels = std::move(labels);
  data.source = "four";
  return data;
}

std::string refusal(const Dataset& data, const Objective& objective) {
  try {
    make_problem(data, objective);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(Problem, maps_the_larger_of_any_two_labels_to_plus_one) {
  for (const auto& [low, high] : {std::pair{-1.0, 1.0}, {0.0, 1.0}, {1.0, 2.0}, {-3.5, 17.25}}) {
    const Dataset data = four_rows({high, low, low, high});
    const Problem p = make_problem(data, {});
    EXPECT_EQ(p.target, (std::vector<double>{1, -1, -1, 1}));
    EXPECT_EQ(p.labels, (std::vector<double>{low, high}));
    EXPECT_EQ(p.kind->name, "logistic");
  }
}

TEST(Problem, takes_defaults_and_coefficients_as_the_contract_says) {
  const Dataset data = four_rows({1, -1, -1, 1});
  Objective o;
  EXPECT_DOUBLE_EQ(make_problem(data, o).lambda, 1.0 / 4);
  o.C = 10;
  EXPECT_DOUBLE_EQ(make_problem(data, o).lambda, 1.0 / 40);
  o.regularizer = "l1";
  EXPECT_DOUBLE_EQ(make_problem(data, o).l1, 1.0 / 40);
  EXPECT_EQ(make_problem(data, o).lambda, 0);
  o = {};
  o.l1 = 0.5;
  EXPECT_EQ(name_of(make_problem(data, o).regularizer), "l1");
  o.lambda = 0.1;
  EXPECT_EQ(name_of(make_problem(data, o).regularizer), "elastic-net");
  o = {};
  o.lambda = 0;
  EXPECT_EQ(name_of(make_problem(data, o).regularizer), "none");
  o = {};
  o.regularizer = "none";
  EXPECT_EQ(name_of(make_problem(data, o).regularizer), "none");
}

TEST(Problem, default_l1_is_a_tenth_of_the_smallest_that_gives_zero) {
  const Dataset data = four_rows({3, 1, 2, 5});
  Objective o;
  o.loss = "squared";
  o.regularizer = "l1";
  o.intercept = Intercept::none;
  // A^T b / n = ((3 + 2 + 10) / 4, (1 + 2) / 4)
  EXPECT_DOUBLE_EQ(make_problem(data, o).l1, 0.1 * 15 / 4);
  o.intercept = Intercept::free;  // b - mean = (0.25, -1.75, -0.75, 2.25)
  EXPECT_NEAR(make_problem(data, o).l1, 0.1 * (0.25 - 0.75 + 4.5) / 4, 1e-12);
}

TEST(Problem, weighs_rows_and_classes) {
  Dataset data = four_rows({1, -1, -1, 1});
  data.weights = {1, 2, 3, 4};
  Objective o;
  o.class_weights = {{1, 2}};
  const Problem p = make_problem(data, o);
  EXPECT_EQ(p.total_weight, 2 + 2 + 3 + 8);
  EXPECT_DOUBLE_EQ(p.share[3], 8.0 / 15);
  o.class_weights.clear();
  o.balanced = true;
  const Problem b = make_problem(data, o);
  EXPECT_NEAR(b.share[0] + b.share[3], 0.5, 1e-15);
  EXPECT_NEAR(b.total_weight, 10, 1e-12);
}

TEST(Problem, refuses_with_a_sentence_that_names_the_remedy) {
  const Dataset two = four_rows({1, -1, -1, 1}), one = four_rows({1, 1, 1, 1}), many = four_rows({1, 2, 3, 4});
  Objective o;
  EXPECT_NE(refusal(many, o).find("--loss squared"), std::string::npos);
  o.loss = "hinge";
  EXPECT_NE(refusal(one, o).find("only the label 1"), std::string::npos);
  EXPECT_NE(refusal(many, o).find("4 different labels"), std::string::npos);
  o.lambda = 1;
  o.C = 1;
  EXPECT_NE(refusal(two, o).find("one of them"), std::string::npos);
  o = {};
  o.lambda = -1;
  EXPECT_NE(refusal(two, o).find("--lambda"), std::string::npos);
  o = {};
  o.regularizer = "l2";
  o.l1 = 0.1;
  EXPECT_NE(refusal(two, o).find("no place for --l1"), std::string::npos);
  o = {};
  o.regularizer = "l3";
  EXPECT_NE(refusal(two, o).find("elastic-net"), std::string::npos);
  o = {};
  o.class_weights = {{7, 1}};
  EXPECT_NE(refusal(two, o).find("-1 and 1"), std::string::npos);
  o = {};
  o.loss = "quantile";
  o.loss_parameter = 1.5;
  EXPECT_NE(refusal(many, o).find("between 0 and 1"), std::string::npos);
}

TEST(Intercept, of_the_squared_loss_is_the_mean_and_of_the_absolute_a_median) {
  const Dataset data = four_rows({3, 1, 2, 50});
  const std::vector<double> zero(4);
  Objective o;
  o.loss = "squared";
  EXPECT_NEAR(best_intercept(make_problem(data, o), zero, 0, 0), 14, 1e-12);
  o.loss = "absolute";
  const double median = best_intercept(make_problem(data, o), zero, 100, 0);
  EXPECT_GE(median, 2);
  EXPECT_LE(median, 3);
  o.loss = "quantile";
  o.loss_parameter = 0.9;
  EXPECT_NEAR(best_intercept(make_problem(data, o), zero, 0, 0), 50, 1e-9);
}

TEST(Objective, is_printed_in_symbols_with_what_it_is_called_elsewhere) {
  const Dataset data = four_rows({1, -1, -1, 1});
  Objective o;
  o.loss = "squared-hinge";
  o.C = 2;
  o.intercept = Intercept::none;
  const Problem p = make_problem(data, o);
  EXPECT_NE(describe_objective(p).find("(0.125/2) |x|^2"), std::string::npos) << describe_objective(p);
  const auto lines = equivalents(p);
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_NE(lines[0].find("-s 2 (or 1) -c 2"), std::string::npos) << lines[0];
  EXPECT_NE(lines[1].find("C=2"), std::string::npos) << lines[1];
}

}  // namespace
}  // namespace seesaw
