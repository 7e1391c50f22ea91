#include "model/problem.h"

#include <gtest/gtest.h>

#include <array>

#include "data/transform.h"
#include "model/describe_objective.h"
#include "model/intercept.h"
#include "seesaw/error.h"
#include "support/problems.h"

namespace seesaw {
namespace problem_test {

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
    EXPECT_EQ(p.scalar().target, (std::vector<double>{1, -1, -1, 1}));
    EXPECT_EQ(p.labels, (std::vector<double>{low, high}));
    EXPECT_EQ(p.kind->name, "logistic");
  }
}

TEST(Problem, resolves_defaults_and_coefficients) {
  const Dataset data = four_rows({1, -1, -1, 1});
  Objective o;
  EXPECT_DOUBLE_EQ(make_problem(data, o).penalty.l2(), 1.0 / 4);
  o.C = 10;
  EXPECT_DOUBLE_EQ(make_problem(data, o).penalty.l2(), 1.0 / 40);
  o.regularizer = "l1";
  EXPECT_DOUBLE_EQ(make_problem(data, o).penalty.l1(), 1.0 / 40);
  EXPECT_EQ(make_problem(data, o).penalty.l2(), 0);
  o = {};
  o.l1 = 0.5;
  EXPECT_EQ(make_problem(data, o).penalty.name(), "l1");
  o.lambda = 0.1;
  EXPECT_EQ(make_problem(data, o).penalty.name(), "elastic-net");
  o = {};
  o.lambda = 0;
  EXPECT_EQ(make_problem(data, o).penalty.name(), "none");
  o = {};
  o.regularizer = "none";
  EXPECT_EQ(make_problem(data, o).penalty.name(), "none");
}

TEST(Problem, default_l1_is_a_tenth_of_the_smallest_that_gives_zero) {
  const Dataset data = four_rows({3, 1, 2, 5});
  Objective o;
  o.loss = "squared";
  o.regularizer = "l1";
  o.intercept = Intercept::none;
  // A^T b / n = ((3 + 2 + 10) / 4, (1 + 2) / 4)
  EXPECT_DOUBLE_EQ(make_problem(data, o).penalty.l1(), 0.1 * 15 / 4);
  o.intercept = Intercept::free;  // b - mean = (0.25, -1.75, -0.75, 2.25)
  EXPECT_NEAR(make_problem(data, o).penalty.l1(), 0.1 * (0.25 - 0.75 + 4.5) / 4, 1e-12);
}

TEST(Problem, weighs_rows_and_classes) {
  Dataset data = four_rows({1, -1, -1, 1});
  data.weights = {1, 2, 3, 4};
  Objective o;
  o.class_weights = {{1, 2}};
  const Problem p = make_problem(data, o);
  EXPECT_EQ(p.total_weight, 2 + 2 + 3 + 8);
  EXPECT_DOUBLE_EQ(p.normalized_weight[3], 8.0 / 15);
  o.class_weights.clear();
  o.balanced = true;
  const Problem b = make_problem(data, o);
  EXPECT_NEAR(b.normalized_weight[0] + b.normalized_weight[3], 0.5, 1e-15);
  EXPECT_NEAR(b.total_weight, 10, 1e-12);
}

using Classes = std::vector<std::uint32_t>;

TEST(Problem, multiclass_targets_are_indices_of_ascending_labels) {
  const Dataset data = four_rows({7, -2, 3, 7});
  for (const char* loss : {"softmax", "multiclass-hinge", "logistic", "hinge"}) {
    Objective o;
    o.loss = loss;
    const Problem p = make_problem(data, o);
    EXPECT_EQ(p.labels, (std::vector<double>{-2, 3, 7}));
    EXPECT_EQ(p.is_block() ? p.block().class_of_row : p.one_versus_rest().class_of_row, (Classes{2, 0, 1, 2}));
    EXPECT_EQ(p.outputs(), 3u);
    EXPECT_EQ(p.is_block(), p.kind->make_block != nullptr);
  }
  const Dataset two = four_rows({1, 0, 0, 1});
  Objective o;
  o.loss = "softmax";
  EXPECT_EQ(make_problem(two, o).outputs(), 2u);
  EXPECT_EQ(make_problem(two, o).block().class_of_row, (Classes{1, 0, 0, 1}));
}

TEST(Problem, has_one_of_three_forms) {
  const Dataset two = four_rows({1, 0, 0, 1}), three = four_rows({7, -2, 3, 7});
  const auto form_of = [](const Dataset& data, const char* loss) {
    Objective o;
    o.loss = loss;
    const Problem p = make_problem(data, o);
    if (!p.is_scalar()) {
      EXPECT_THROW(p.scalar(), std::bad_variant_access) << loss;
    }
    if (!p.is_block()) {
      EXPECT_THROW(p.block(), std::bad_variant_access) << loss;
    }
    if (!p.is_one_versus_rest()) {
      EXPECT_THROW(class_problem(p, 0), std::bad_variant_access) << loss;
    }
    return std::array{p.is_scalar(), p.is_block(), p.is_one_versus_rest()};
  };
  EXPECT_EQ(form_of(two, "logistic"), (std::array{true, false, false}));
  EXPECT_EQ(form_of(three, "squared"), (std::array{true, false, false}));
  EXPECT_EQ(form_of(two, "softmax"), (std::array{false, true, false}));
  EXPECT_EQ(form_of(three, "multiclass-hinge"), (std::array{false, true, false}));
  EXPECT_EQ(form_of(three, "logistic"), (std::array{false, false, true}));
}

TEST(Problem, one_versus_rest_shares_weights_and_coefficients) {
  Dataset data = four_rows({7, -2, 3, 7});
  data.weights = {1, 2, 3, 4};
  Objective o;
  o.loss = "logistic";
  o.regularizer = "elastic-net";
  o.class_weights = {{7, 10}};
  const Problem whole = make_problem(data, o);
  double largest = 0;
  for (std::size_t k = 0; k < 3; ++k) {
    const Problem one = class_problem(whole, k);
    EXPECT_EQ(one.outputs(), 1u);
    EXPECT_EQ(one.normalized_weight, whole.normalized_weight);
    EXPECT_EQ(one.penalty.l2(), whole.penalty.l2());
    EXPECT_EQ(one.penalty.l1(), whole.penalty.l1());
    for (std::size_t i = 0; i < 4; ++i)
      EXPECT_EQ(one.scalar().target[i], whole.one_versus_rest().class_of_row[i] == k ? 1 : -1);
    Dataset binary = data;  // the same problem with two labels, its rows weighted as here
    for (std::size_t i = 0; i < 4; ++i) {
      binary.labels[i] = one.scalar().target[i];
      binary.weights[i] = whole.normalized_weight[i] * whole.total_weight;
    }
    Objective alone;
    alone.regularizer = "elastic-net";
    largest = std::max(largest, make_problem(binary, alone).penalty.l1());
  }
  EXPECT_NEAR(whole.penalty.l1(), largest, 1e-12);
  EXPECT_EQ(whole.total_weight, 10 + 2 + 3 + 40);
  EXPECT_EQ(whole.class_weights, (std::vector<double>{1, 1, 10}));
  o.class_weights.clear();
  o.balanced = true;
  const Problem balanced = make_problem(data, o);
  EXPECT_NEAR(balanced.normalized_weight[0] + balanced.normalized_weight[3], 1.0 / 3, 1e-15);
  EXPECT_NEAR(balanced.normalized_weight[2], 1.0 / 3, 1e-15);
}

TEST(Problem, default_l1_of_blocks_is_a_tenth_of_the_smallest_that_gives_zero) {
  const Dataset data = four_rows({1, 2, 3, 1});
  Objective o;
  o.loss = "softmax";
  o.regularizer = "l1";
  o.intercept = Intercept::none;  // p = 1/3: A^T C y of class 1 and column 1 is (1 (-2/3) + 1 (1/3) + 2 (-2/3)) / 4
  EXPECT_NEAR(make_problem(data, o).penalty.l1(), 0.1 * (5.0 / 3) / 4, 1e-15);
  o.intercept = Intercept::free;  // p = (1/2, 1/4, 1/4): (-1/2 + 1/2 - 2 (1/2)) / 4
  EXPECT_NEAR(make_problem(data, o).penalty.l1(), 0.1 * 1.0 / 4, 1e-15);
}

TEST(Problem, accepts_at_most_1000_classes) {
  test::Matrix matrix(1001, {1.0});
  Dataset data = test::table(matrix);
  for (std::size_t i = 0; i < 1001; ++i) data.labels[i] = double(i);
  data.source = "many";
  Objective o;
  for (const char* loss : {"hinge", "softmax"}) {
    o.loss = loss;
    EXPECT_NE(refusal(data, o).find("more than 1000 different labels"), std::string::npos) << refusal(data, o);
  }
  data.labels[1000] = 0;
  EXPECT_EQ(make_problem(data, o).outputs(), 1000u);
}

TEST(Problem, refuses_with_a_message_that_names_the_remedy) {
  const Dataset two = four_rows({1, -1, -1, 1}), one = four_rows({1, 1, 1, 1}), many = four_rows({1, 2, 3, 4});
  Objective o;
  EXPECT_NE(refusal(many, o).find("`loss` squared"), std::string::npos);
  EXPECT_NE(refusal(many, o).find("softmax or multiclass-hinge"), std::string::npos);
  EXPECT_NE(refusal(many, o).find("one-versus-rest"), std::string::npos);
  o.loss = "softmax";
  EXPECT_NE(refusal(one, o).find("only the label 1"), std::string::npos);
  o.class_weights = {{7, 1}};
  EXPECT_NE(refusal(many, o).find("1, 2, 3, 4"), std::string::npos);
  o = {};
  o.loss = "hinge";
  EXPECT_NE(refusal(one, o).find("only the label 1"), std::string::npos);
  o.lambda = 1;
  o.C = 1;
  EXPECT_NE(refusal(two, o).find("one of them"), std::string::npos);
  o = {};
  o.lambda = -1;
  EXPECT_NE(refusal(two, o).find("`lambda`"), std::string::npos);
  o = {};
  o.regularizer = "l2";
  o.l1 = 0.1;
  EXPECT_NE(refusal(two, o).find("does not use `l1`"), std::string::npos);
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

TEST(Intercept, is_found_for_large_scores_of_vanishing_curvature) {
  const Dataset data = four_rows({1, -1, -1, 1});
  for (const char* loss : {"logistic", "smooth-hinge", "squared-hinge"})
    for (const double size : {10.0, 40.0, 300.0, 700.0, 1e5}) {
      Objective o;
      o.loss = loss;
      const Problem p = make_problem(data, o);
      const std::vector<double> z = {size, -size / 2, 2 * size, 3 * size};  // the third row is misclassified
      for (const double from : {0.0, -1.0, 50.0, -2.5 * size}) {
        const double b = best_intercept(p, z, from, 0);
        const auto mean_loss = [&](double at) {
          double sum = 0;
          for (std::size_t i = 0; i < 4; ++i)
            sum += p.normalized_weight[i] *
                   std::visit([&](const auto& phi) { return phi.value(p.scalar().target[i], z[i] + at); },
                              p.scalar().loss);
          return sum;
        };
        const std::string what = std::string(loss) + " " + std::to_string(size) + " from " + std::to_string(from);
        EXPECT_LE(std::abs(b), 3 * size + 1) << what;
        for (const double other : {-3.0, -2.5, -2.0, -1.5, -1.0, -0.5, 0.0, 0.5})
          EXPECT_LE(mean_loss(b), mean_loss(other * size) * (1 + 1e-12)) << what;
      }
    }
}

TEST(Objective, is_printed_in_symbols_with_its_equivalents) {
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

TEST(Objective, equivalents_have_the_weights) {
  Dataset data = four_rows({1, -1, -1, 1});
  Objective o;
  o.loss = "squared-hinge";
  o.C = 2;
  o.intercept = Intercept::none;
  o.class_weights = {{1, 3}};
  auto lines = equivalents(make_problem(data, o));
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_NE(lines[0].find("-s 2 (or 1) -c 2 -w-1 1 -w1 3"), std::string::npos) << lines[0];
  EXPECT_NE(lines[1].find("fit with sample_weight=s"), std::string::npos) << lines[1];
  data.weights = {1, 2, 3, 4};
  lines = equivalents(make_problem(data, o));
  ASSERT_EQ(lines.size(), 1u) << "LIBLINEAR has no weights of rows";
  EXPECT_NE(lines[0].find("scikit-learn"), std::string::npos) << lines[0];
}

TEST(Objective, multiclass_is_printed_as_joint_or_one_versus_rest) {
  const Dataset data = four_rows({1, 2, 3, 1});
  Objective o;
  o.loss = "multiclass-hinge";
  o.C = 2;
  o.intercept = Intercept::none;
  EXPECT_NE(describe_objective(make_problem(data, o)).find("multiclass-hinge loss over 3 classes"), std::string::npos);
  auto lines = equivalents(make_problem(data, o));
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_NE(lines[0].find("-s 4 -c 2"), std::string::npos) << lines[0];
  EXPECT_NE(lines[1].find("multi_class='crammer_singer', C=2"), std::string::npos) << lines[1];
  o.loss = "softmax";
  lines = equivalents(make_problem(data, o));
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_NE(lines[0].find("LogisticRegression(C=2, fit_intercept=False)"), std::string::npos) << lines[0];
  EXPECT_NE(lines[1].find("family=\"multinomial\", lambda=0.125"), std::string::npos) << lines[1];
  o.loss = "logistic";
  const Problem apart = make_problem(data, o);
  EXPECT_NE(describe_objective(apart).find("3 classes, one-versus-rest: 3 problems"), std::string::npos);
  lines = equivalents(apart);
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_NE(lines[0].find("-s 0 (or 7) -c 2"), std::string::npos) << lines[0];
  EXPECT_NE(lines[1].find("OneVsRestClassifier(LogisticRegression(C=2, fit_intercept=False))"), std::string::npos)
      << lines[1];
}

// The lines give the commands of other programs; bench/peers/equivalents runs them.
TEST(Objective, of_scaled_rows_gives_the_data_for_other_programs) {
  const Dataset data = four_rows({1, -1, -1, 1});
  Objective o;
  o.loss = "logistic";
  o.C = 2;
  const auto lines_for = [&](Scaling scaling) {
    const Transform transform = fit_transform(data, scaling, o.intercept == Intercept::penalized);
    return equivalents(make_problem(apply(transform, data), o), transform);
  };
  const auto has = [](const std::vector<std::string>& lines, std::size_t k, const char* words) {
    return k < lines.size() && lines[k].find(words) != std::string::npos;
  };
  EXPECT_TRUE(has(lines_for(Scaling::none), 2, "standardize=FALSE"));
  EXPECT_FALSE(has(lines_for(Scaling::none), 1, " on "));
  auto lines = lines_for(Scaling::columns_std);
  EXPECT_TRUE(has(lines, 0, "on columns divided by their standard deviation"));
  EXPECT_TRUE(has(lines, 1, "on scale(X, with_mean=False)"));
  EXPECT_TRUE(has(lines, 2, "standardize=TRUE"));
  lines = lines_for(Scaling::columns_max);
  EXPECT_TRUE(has(lines, 1, "on maxabs_scale(X)"));
  EXPECT_TRUE(has(lines, 2, "standardize=FALSE, on columns divided by their largest absolute value"));
  lines = lines_for(Scaling::rows);
  EXPECT_TRUE(has(lines, 1, "on normalize(X)"));
  EXPECT_TRUE(has(lines, 2, "standardize=FALSE, on rows divided by their norms"));
  lines = lines_for(Scaling::max);
  EXPECT_TRUE(has(lines, 0, "on the data times 0."));
  EXPECT_TRUE(has(lines, 1, " * X"));

  o.balanced = true;  // glmnet would use these weights for its standard deviations
  EXPECT_TRUE(has(lines_for(Scaling::columns_std), 2, "standardize=FALSE, on columns divided by their standard"));
  o.balanced = false;
  o.loss = "squared-hinge";
  o.intercept = Intercept::penalized;  // the feature of 1 is scaled with the rows
  lines = lines_for(Scaling::rows);
  EXPECT_TRUE(has(lines, 0, "on rows (a, 1) divided by their norms"));
  EXPECT_FALSE(has(lines, 0, "-B"));
  EXPECT_TRUE(has(lines, 1, "fit_intercept=False) on normalize(np.c_[X, np.ones(len(X))])"));
  lines = lines_for(Scaling::max);
  EXPECT_TRUE(has(lines, 0, "-B 0."));
  EXPECT_TRUE(has(lines, 1, "intercept_scaling=0."));
}

TEST(Problem, names_the_label_column_of_a_csv_if_labels_are_wrong) {
  Dataset data = four_rows({3, 3, 3, 3});
  data.source = "d.csv";
  data.label_column = "column 1 'age'";
  const auto complaint = [&](const char* loss) -> std::string {
    Objective o;
    o.loss = loss;
    try {
      make_problem(data, o);
    } catch (const Error& error) {
      return error.what();
    }
    return "nothing";
  };
  const std::string column = "in its label column, column 1 'age' (`label_column` chooses another)";
  EXPECT_NE(complaint("").find("d.csv has only the label 3 " + column), std::string::npos) << complaint("");
  EXPECT_NE(complaint("hinge").find("d.csv has only the label 3 " + column), std::string::npos);
  data.labels = {1, 2, 3, 4};
  EXPECT_NE(complaint("").find("d.csv has 4 different labels " + column), std::string::npos) << complaint("");
  data.labels = {1e200, 2, 3, 4};
  EXPECT_NE(complaint("squared").find("d.csv has the label 1e+200 " + column), std::string::npos);
}

}  // namespace problem_test
}  // namespace seesaw
