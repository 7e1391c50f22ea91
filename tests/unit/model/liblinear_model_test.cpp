#include "model/liblinear_model.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "base/rng.h"
#include "model/model_file.h"
#include "seesaw/error.h"
#include "support/expectations.h"
#include "support/liblinear_programs.h"
#include "support/scratch_folder.h"
#include "support/table.h"

namespace seesaw {
namespace liblinear_model_test {

using test::all_near;
using test::begins;
using test::contains;
using test::liblinear_is_installed;
using test::libsvm_text;
using test::Matrix;
using test::our_predictions;
using test::runs;
using test::ScratchFolder;
using test::sentence_of;
using test::table;
using test::their_predictions;

LinearModel two_class_model() {
  LinearModel model;
  model.objective.loss = "logistic";
  model.objective.lambda = 0.1;
  model.labels = {2, 5};
  model.x = {0.5, -1.0 / 3};
  return model;
}

std::string text_of(const LinearModel& model) {
  const ScratchFolder folder;
  write_liblinear_model(model, folder.path("m.model"));
  return folder.text_of("m.model");
}

std::string refusal_of(const std::string& text) {
  return sentence_of<Error>([&] { parse_liblinear_model(text, "their.model"); });
}

TEST(LiblinearModel, the_positive_class_is_first) {
  EXPECT_EQ(text_of(two_class_model()),
            "solver_type L2R_LR\nnr_class 2\nlabel 5 2\nnr_feature 2\nbias -1\nw\n0.5 \n-0.33333333333333331 \n");
}

TEST(LiblinearModel, a_regression_model_has_no_labels) {
  LinearModel model = two_class_model();
  model.objective.loss = "epsilon-insensitive";
  model.labels.clear();
  EXPECT_EQ(text_of(model),
            "solver_type L2R_L1LOSS_SVR_DUAL\nnr_class 2\nnr_feature 2\nbias -1\nw\n0.5 \n-0.33333333333333331 \n");
}

TEST(LiblinearModel, every_loss_has_a_type_with_equal_predictions) {
  const auto type_of = [](const std::string& loss, double lambda, double l1) {
    LinearModel model = two_class_model();
    model.objective.loss = loss;
    model.objective.lambda = lambda;
    model.objective.l1 = l1;
    if (loss_kind(loss).target == Target::number) model.labels.clear();
    const std::string text = text_of(model);
    return text.substr(12, text.find('\n') - 12);
  };
  EXPECT_EQ(type_of("logistic", 1, 0), "L2R_LR");
  EXPECT_EQ(type_of("logistic", 1, 1), "L2R_LR");
  EXPECT_EQ(type_of("logistic", 0, 1), "L1R_LR");
  EXPECT_EQ(type_of("hinge", 1, 0), "L2R_L1LOSS_SVC_DUAL");
  EXPECT_EQ(type_of("squared-hinge", 1, 0), "L2R_L2LOSS_SVC");
  EXPECT_EQ(type_of("squared-hinge", 0, 1), "L1R_L2LOSS_SVC");
  EXPECT_EQ(type_of("smooth-hinge", 1, 0), "L2R_L2LOSS_SVC");
  EXPECT_EQ(type_of("epsilon-insensitive", 1, 0), "L2R_L1LOSS_SVR_DUAL");
  for (const char* loss : {"squared-epsilon-insensitive", "squared", "absolute", "quantile", "huber"})
    EXPECT_EQ(type_of(loss, 1, 0), "L2R_L2LOSS_SVR") << loss;
}

TEST(LiblinearModel, either_intercept_becomes_the_bias_weight) {
  LinearModel model = two_class_model();
  model.objective.intercept = Intercept::free;
  model.intercept = {0.75};
  EXPECT_TRUE(contains(text_of(model), "nr_feature 2\nbias 1\nw\n0.5 \n-0.33333333333333331 \n0.75 \n"));
  model = two_class_model();
  model.objective.intercept = Intercept::penalized;
  model.transform.constant_feature = true;
  model.x.push_back(-4);
  EXPECT_TRUE(contains(text_of(model), "nr_feature 2\nbias 1\nw\n0.5 \n-0.33333333333333331 \n-4 \n"));
  model.transform.constant_value = 0.5;  // the weight of a feature of 1 is half of it
  EXPECT_TRUE(contains(text_of(model), "nr_feature 2\nbias 1\nw\n0.5 \n-0.33333333333333331 \n-2 \n"));
}

TEST(LiblinearModel, scaling_is_folded_into_the_weights) {
  Rng rng(2);
  Matrix matrix(20, std::vector<double>(4));
  for (auto& row : matrix)
    for (double& value : row) value = rng.normal();
  const Dataset data = table(matrix);
  for (const Scaling scaling : {Scaling::none, Scaling::max, Scaling::columns_max, Scaling::columns_std})
    for (const Intercept intercept : {Intercept::none, Intercept::penalized, Intercept::free}) {
      LinearModel model = two_class_model();
      model.objective.intercept = intercept;
      model.x = {1, -2, 3, -4};
      model.transform = fit_transform(data, scaling, intercept == Intercept::penalized);
      if (intercept == Intercept::penalized) model.x.push_back(0.7);
      if (intercept == Intercept::free) model.intercept = {0.9};
      const LinearModel read = parse_liblinear_model(text_of(model), "m.model");
      EXPECT_TRUE(read.transform.identity());
      EXPECT_EQ(read.labels, model.labels);
      EXPECT_TRUE(all_near(decision_values(read, data), decision_values(model, data), 1e-14))
          << name_of(scaling) << ", intercept " << name_of(intercept);
    }
}

TEST(LiblinearModel, row_scaling_is_refused) {
  LinearModel model = two_class_model();
  model.transform.scaling = Scaling::rows;
  EXPECT_TRUE(contains(sentence_of<Error>([&] { text_of(model); }), "scales every row to length 1"));
}

TEST(LiblinearModel, labels_that_are_not_integers_are_refused) {
  for (const double label : {2.5, 1e10}) {
    LinearModel model = two_class_model();
    model.labels[0] = label;
    EXPECT_TRUE(contains(sentence_of<Error>([&] { text_of(model); }), "labels are whole numbers"));
  }
}

TEST(LiblinearModel, is_identified_by_its_first_line) {
  EXPECT_TRUE(is_liblinear_model("solver_type L2R_LR\n"));
  EXPECT_FALSE(is_liblinear_model("{\"format\": 1}"));
  EXPECT_FALSE(is_liblinear_model(""));
}

TEST(LiblinearModel, the_bias_is_the_value_of_a_fixed_feature) {
  const LinearModel model = parse_liblinear_model(
      "solver_type L2R_L2LOSS_SVC_DUAL\nnr_class 2\nlabel -1 1\nnr_feature 1\nbias 2.5\nw\n3 \n0.5 \n", "m");
  EXPECT_EQ(model.x, std::vector<double>{3});
  EXPECT_EQ(model.intercept[0], 1.25);
  EXPECT_EQ(model.labels, (std::vector<double>{1, -1}));
  EXPECT_EQ(model.objective.loss, "squared-hinge");
  EXPECT_FALSE(model.certificate.has_value());
  EXPECT_EQ(parse_liblinear_model("solver_type L2R_LR\nnr_class 2\nlabel 1 2\nnr_feature 1\nbias 0\nw\n3 \n0.5 \n", "m")
                .intercept[0],
            0);
}

TEST(LiblinearModel, the_type_determines_classification_or_regression) {
  const auto parsed = [](const std::string& type, const std::string& labels) {
    return parse_liblinear_model(
        fmt::format("solver_type {}\nnr_class 2\n{}nr_feature 1\nbias -1\nw\n3 \n", type, labels), "m");
  };
  for (const char* type : {"L2R_LR", "L2R_LR_DUAL", "L1R_LR"})
    EXPECT_EQ(parsed(type, "label 1 0\n").objective.loss, "logistic");
  for (const char* type : {"L2R_L2LOSS_SVC", "L2R_L2LOSS_SVC_DUAL", "L1R_L2LOSS_SVC"})
    EXPECT_EQ(parsed(type, "label 1 0\n").objective.loss, "squared-hinge");
  EXPECT_EQ(parsed("L2R_L1LOSS_SVC_DUAL", "label 1 0\n").objective.loss, "hinge");
  for (const char* type : {"L2R_L2LOSS_SVR", "L2R_L2LOSS_SVR_DUAL", "L2R_L1LOSS_SVR_DUAL"})
    EXPECT_FALSE(parsed(type, "").classifies());
}

TEST(LiblinearModel, invalid_files_are_reported_with_their_position) {
  const std::string head = "solver_type L2R_LR\nnr_class 2\nlabel 1 -1\nnr_feature 2\nbias -1\n";
  EXPECT_TRUE(contains(refusal_of("solver_type L2R_LR\nnr_class 1\nlabel 1\n"), "at least two classes"));
  EXPECT_TRUE(contains(refusal_of("solver_type ONECLASS_SVM\n"), "one-class models of LIBLINEAR are not supported"));
  EXPECT_TRUE(begins(refusal_of("solver_type L3R_LR\n"), "their.model:1:13: 'L3R_LR' is not a solver type"));
  EXPECT_TRUE(begins(refusal_of(head + "w\n0.5 \n"), "their.model:8:"));
  EXPECT_TRUE(contains(refusal_of(head + "w\n0.5 \n"), "the file is truncated"));
  EXPECT_TRUE(begins(refusal_of(head + "w\n0.5 \n1,5 \n"),
                     "their.model:8:1: expected a weight, a finite number, and found '1,5'"));
  EXPECT_TRUE(begins(refusal_of(head + "w\n0.5 \nnan \n"),
                     "their.model:8:1: expected a weight, a finite number, and found 'nan'"));
  EXPECT_TRUE(begins(refusal_of(head + "w\n0.5 \n1 \n2 \n"), "their.model:9:1: there are more weights"));
  EXPECT_TRUE(contains(refusal_of(head), "the model ends before the line 'w'"));
  EXPECT_TRUE(begins(refusal_of(head + "rho 1\nw\n"), "their.model:6:1: 'rho' is not a key"));
  EXPECT_TRUE(contains(refusal_of("solver_type L2R_LR\nnr_class 2\nnr_feature 2\nbias -1\nw\n"), "'label' is missing"));
  EXPECT_TRUE(contains(refusal_of("solver_type L2R_LR\nnr_class 2\nlabel 1 2\nbias -1\nw\n"), "nr_feature"));
  EXPECT_TRUE(contains(refusal_of("solver_type L2R_LR\nlabel 1 2\n"), "before the number of classes"));
  EXPECT_TRUE(contains(refusal_of("solver_type L2R_LR\nnr_class 2\nlabel 1 2\nnr_feature -1\n"), "found '-1'"));
  EXPECT_TRUE(contains(refusal_of("nr_class 2\nnr_feature 1\nw\n1\n"), "'solver_type' is missing"));
  EXPECT_TRUE(contains(refusal_of(""), "truncated"));
}

TEST(LiblinearModel, a_huge_number_of_features_is_not_allocated_before_it_is_read) {
  EXPECT_TRUE(
      contains(refusal_of("solver_type L2R_LR\nnr_class 2\nlabel 1 2\nnr_feature 99999999999999\nbias -1\nw\n1\n"),
               "truncated"));
}

// ---- comparison with LIBLINEAR's programs -----------------------------------------------------------------------

// Normally distributed rows with labels 3 and 8 (noisy: not separable) or a real target.
Dataset generated(bool classes) {
  Rng rng(11);
  Matrix matrix(150, std::vector<double>(6));
  std::vector<double> labels;
  for (auto& row : matrix) {
    double score = 0.4 + 0.5 * rng.normal();
    for (std::size_t j = 0; j < row.size(); ++j) {
      if (rng.uniform() < 0.7) row[j] = rng.normal();
      score += row[j] * (static_cast<double>(j) - 2);
    }
    labels.push_back(!classes ? score : score > 0 ? 8 : 3);
  }
  Dataset data = table(matrix);
  data.labels = labels;
  return data;
}

TEST(LiblinearModel, predictions_from_a_model_of_liblinear_equal_its_own) {
  if (!liblinear_is_installed()) GTEST_SKIP() << "liblinear-train and liblinear-predict are not installed";
  const ScratchFolder folder;
  for (const int solver : {0, 1, 2, 3, 4, 5, 6, 7, 11, 12, 13})
    for (const int bias : {-1, 1, 3}) {
      const bool classes = solver < 11;
      const Dataset data = generated(classes);
      folder.file("data.svm", libsvm_text(data));
      ASSERT_TRUE(runs(fmt::format("liblinear-train -s {} -B {} '{}' '{}'", solver, bias, folder.path("data.svm"),
                                   folder.path("theirs"))));
      const std::vector<double> ours = our_predictions(read_model(folder.path("theirs")), data);
      const std::vector<double> theirs = their_predictions(folder, "theirs");
      // LIBLINEAR prints six digits of a number and all digits of a label.
      EXPECT_TRUE(all_near(ours, theirs, classes ? 0 : 1e-4)) << "-s " << solver << " -B " << bias;
    }
}

TEST(LiblinearModel, predictions_of_liblinear_from_our_file_equal_ours) {
  if (!liblinear_is_installed()) GTEST_SKIP() << "liblinear-predict is not installed";
  const ScratchFolder folder;
  for (const LossKind& kind : loss_kinds())
    for (const Scaling scaling : {Scaling::max, Scaling::columns_std})
      for (const Intercept intercept : {Intercept::penalized, Intercept::free}) {
        const bool classes = kind.target == Target::sign;
        const Dataset data = generated(classes);
        folder.file("data.svm", libsvm_text(data));
        LinearModel model;
        model.objective.loss = kind.name;
        model.objective.intercept = intercept;
        if (classes) model.labels = {3, 8};
        model.transform = fit_transform(data, scaling, intercept == Intercept::penalized);
        model.x = {-2, -1, 0.1, 1, 2, 3};
        if (intercept == Intercept::penalized) model.x.push_back(0.4);
        if (intercept == Intercept::free) model.intercept = {0.4};
        write_liblinear_model(model, folder.path("ours"));

        const std::vector<double> ours = our_predictions(model, data);
        const std::vector<double> theirs = their_predictions(folder, "ours");
        EXPECT_TRUE(all_near(ours, theirs, classes ? 0 : 1e-4)) << kind.name;
      }
}

}  // namespace liblinear_model_test
}  // namespace seesaw
