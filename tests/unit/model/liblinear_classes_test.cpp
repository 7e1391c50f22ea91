// LIBLINEAR's text models, multiclass.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/rng.h"
#include "model/liblinear_model.h"
#include "model/model_file.h"
#include "seesaw/error.h"
#include "support/expectations.h"
#include "support/liblinear_programs.h"
#include "support/scratch_folder.h"
#include "support/table.h"

namespace seesaw {
namespace liblinear_classes_test {

using test::all_near;
using test::begins;
using test::contains;
using test::Matrix;
using test::ScratchFolder;
using test::sentence_of;
using test::table;

// The first `classes` of the labels 2, 5, 7, 9 with two features.
LinearModel model_of(const std::string& loss, std::size_t classes = 3) {
  LinearModel model;
  model.objective.loss = loss;
  model.objective.lambda = 0.1;
  model.objective.intercept = Intercept::free;
  for (std::size_t k = 0; k < classes; ++k) model.labels.push_back(std::vector<double>{2, 5, 7, 9}[k]);
  for (std::size_t at = 0; at < 2 * classes; ++at) model.x.push_back(0.5 * static_cast<double>(at) - 1);
  model.intercept.assign(classes, 0.25);
  return model;
}

std::string text_of(const LinearModel& model) {
  const ScratchFolder folder;
  write_liblinear_model(model, folder.path("m.model"));
  return folder.text_of("m.model");
}

LinearModel parsed(const std::string& text) { return parse_liblinear_model(text, "their.model"); }

std::string refusal_of(const std::string& text) {
  return sentence_of<Error>([&] { parsed(text); });
}

// Normally distributed rows; the labels are the first `classes` of 7, 2, 9, 5, in order of appearance.
Dataset generated(std::size_t classes) {
  Rng rng(12);
  Matrix matrix(200, std::vector<double>(6));
  std::vector<double> labels;
  for (auto& row : matrix) {
    std::size_t best = 0;
    double most = -infinity;
    for (double& value : row)
      if (rng.uniform() < 0.7) value = rng.normal();
    for (std::size_t k = 0; k < classes; ++k)
      if (const double score = row[k] - row[k + 1] + 0.3 * rng.normal(); score > most) {
        most = score;
        best = k;
      }
    labels.push_back(std::vector<double>{7, 2, 9, 5}[labels.size() < classes ? labels.size() : best]);
  }
  Dataset data = table(matrix);
  data.labels = labels;
  return data;
}

// ---- writing ------------------------------------------------------------------------------------------------------

TEST(LiblinearClasses, has_one_label_and_one_column_per_class) {
  EXPECT_EQ(text_of(model_of("logistic")),
            "solver_type L2R_LR\nnr_class 3\nlabel 2 5 7\nnr_feature 2\nbias 1\nw\n-1 -0.5 0 \n0.5 1 1.5 \n0.25 0.25 "
            "0.25 \n");
}

TEST(LiblinearClasses, every_loss_has_a_type_with_equal_predictions) {
  const auto type_of = [](const char* loss) {
    const std::string text = text_of(model_of(loss));
    return text.substr(12, text.find('\n') - 12);
  };
  EXPECT_EQ(type_of("softmax"), "MCSVM_CS");
  EXPECT_EQ(type_of("multiclass-hinge"), "MCSVM_CS");
  EXPECT_EQ(type_of("logistic"), "L2R_LR");
  EXPECT_EQ(type_of("hinge"), "L2R_L1LOSS_SVC_DUAL");
  EXPECT_EQ(type_of("squared-hinge"), "L2R_L2LOSS_SVC");
  EXPECT_EQ(type_of("smooth-hinge"), "L2R_L2LOSS_SVC");
}

TEST(LiblinearClasses, two_classes_of_a_block_loss_have_opposite_columns) {
  LinearModel model = model_of("softmax", 2);
  model.x = {1, 4, 0.5, -0.5};
  model.intercept = {1, 2};
  EXPECT_EQ(text_of(model),
            "solver_type MCSVM_CS\nnr_class 2\nlabel 5 2\nnr_feature 2\nbias 1\nw\n1.5 -1.5 \n-0.5 0.5 \n0.5 -0.5 \n");
}

TEST(LiblinearClasses, zero_intercepts_are_omitted_if_the_objective_has_none) {
  LinearModel model = model_of("hinge");
  model.objective.intercept = Intercept::none;
  model.intercept = {0, 0, 0};
  EXPECT_TRUE(contains(text_of(model), "bias -1\nw\n-1 -0.5 0 \n0.5 1 1.5 \n"));
}

TEST(LiblinearClasses, models_that_cannot_be_written_are_refused) {
  LinearModel model = model_of("softmax");
  model.labels[1] = 2.5;
  EXPECT_TRUE(contains(sentence_of<Error>([&] { text_of(model); }),
                       "labels are whole numbers in LIBLINEAR's model files, and 2.5 is not one"));
  model = model_of("softmax");
  model.transform.scaling = Scaling::rows;
  EXPECT_TRUE(contains(sentence_of<Error>([&] { text_of(model); }), "scales every row to length 1"));
}

// ---- reading ------------------------------------------------------------------------------------------------------

TEST(LiblinearClasses, columns_are_sorted_with_their_labels) {
  const LinearModel model = parsed(
      "solver_type L2R_LR\nnr_class 3\nlabel 7 -2 5\nnr_feature 2\nbias 2\nw\n1 2 3 \n4 5 6 \n0.5 0.25 0.125 \n");
  EXPECT_EQ(model.labels, (std::vector<double>{-2, 5, 7}));
  EXPECT_EQ(model.x, (std::vector<double>{2, 3, 1, 5, 6, 4}));
  EXPECT_EQ(model.intercept, (std::vector<double>{0.5, 0.25, 1}));
  EXPECT_EQ(model.objective.loss, "logistic");
  EXPECT_TRUE(model.one_versus_rest());
  EXPECT_FALSE(model.certificate.has_value());
}

TEST(LiblinearClasses, crammer_and_singer_is_the_multiclass_hinge) {
  const LinearModel model = parsed("solver_type MCSVM_CS\nnr_class 3\nlabel 1 2 3\nnr_feature 1\nbias -1\nw\n1 2 3 \n");
  EXPECT_EQ(model.objective.loss, "multiclass-hinge");
  EXPECT_TRUE(model.joint());
  EXPECT_EQ(model.intercept, (std::vector<double>{0, 0, 0}));
}

TEST(LiblinearClasses, two_classes_of_crammer_and_singer_are_decided_by_the_first_column) {
  for (const char* second : {"-3", "7"}) {  // LIBLINEAR ignores the second
    const LinearModel model = parsed(fmt::format(
        "solver_type MCSVM_CS\nnr_class 2\nlabel 1 -1\nnr_feature 2\nbias 1\nw\n3 {} \n4 -4 \n5 -5 \n", second));
    EXPECT_EQ(model.objective.loss, "multiclass-hinge");
    EXPECT_EQ(model.labels, (std::vector<double>{-1, 1}));
    EXPECT_EQ(model.x, (std::vector<double>{-3, 3, -4, 4}));
    EXPECT_EQ(model.intercept, (std::vector<double>{-5, 5}));
  }
}

TEST(LiblinearClasses, decisions_are_unchanged_by_writing_and_reading) {
  const Dataset data = generated(4);
  Rng rng(13);
  for (const char* loss : {"softmax", "multiclass-hinge", "logistic", "hinge"})
    for (const Scaling scaling : {Scaling::none, Scaling::max, Scaling::columns_std})
      for (const Intercept intercept : {Intercept::none, Intercept::penalized, Intercept::free}) {
        LinearModel model = model_of(loss, 4);
        model.objective.intercept = intercept;
        model.transform = fit_transform(data, scaling, intercept == Intercept::penalized);
        model.x.clear();
        for (std::size_t at = 0; at < 4u * (intercept == Intercept::penalized ? 7 : 6); ++at)
          model.x.push_back(rng.normal());
        model.intercept.assign(4, 0.0);
        if (intercept == Intercept::free)
          for (double& b : model.intercept) b = rng.normal();
        const LinearModel read = parsed(text_of(model));
        EXPECT_EQ(read.labels, model.labels);
        EXPECT_TRUE(all_near(decision_values(read, data), decision_values(model, data), 1e-13)) << loss;
      }
}

TEST(LiblinearClasses, margins_of_two_classes_are_unchanged_by_writing_and_reading) {
  const Dataset data = generated(2);
  LinearModel model = model_of("softmax", 2);
  Rng rng(14);
  model.x.clear();
  for (std::size_t at = 0; at < 12; ++at) model.x.push_back(rng.normal());
  model.intercept = {0.5, -0.25};
  const std::vector<double> before = decision_values(model, data);
  const std::vector<double> after = decision_values(parsed(text_of(model)), data);
  for (std::size_t at = 0; at < before.size(); at += 2)
    EXPECT_NEAR(after[at + 1] - after[at], before[at + 1] - before[at], 1e-13);
}

TEST(LiblinearClasses, invalid_files_are_reported_with_their_position) {
  const std::string head = "solver_type L2R_LR\nnr_class 3\nlabel 1 2 3\nnr_feature 2\nbias -1\nw\n";
  EXPECT_TRUE(begins(refusal_of(head + "1 2 3\n4 5\n"), "their.model:9:"));
  EXPECT_TRUE(contains(refusal_of(head + "1 2 3\n4 5\n"), "the file is truncated"));
  EXPECT_TRUE(begins(refusal_of(head + "1 2 3\n4 5 6 7\n"), "their.model:8:7: there are more weights"));
  EXPECT_TRUE(
      begins(refusal_of(head + "1 2 x\n"), "their.model:7:5: expected a weight, a finite number, and found 'x'"));
  EXPECT_TRUE(begins(refusal_of("solver_type L2R_LR\nnr_class 3\nlabel 1 2 1\n"),
                     "their.model:3:11: the label 1 occurs twice"));
  EXPECT_TRUE(begins(refusal_of("solver_type L2R_LR\nnr_class 3\nlabel 1 2\nnr_feature 2\n"),
                     "their.model:4:1: expected a label, a finite number, and found 'nr_feature'"));
  EXPECT_TRUE(contains(refusal_of("solver_type L2R_LR\nnr_class 2\nlabel 1 2\nnr_class 3\nnr_feature 1\nw\n1 1 1\n"),
                       "'label' is missing"));
  EXPECT_TRUE(
      contains(refusal_of("solver_type L2R_LR\nnr_feature 1\nw\n1\n"), "nr_class, the number of classes, is missing"));
  EXPECT_TRUE(contains(refusal_of("solver_type L2R_L2LOSS_SVR\nnr_class 3\nnr_feature 1\nw\n1\n"),
                       "predicts one number, but nr_class is 3"));
  EXPECT_TRUE(contains(refusal_of("solver_type L2R_LR\nnr_class 99999999999999\nlabel 1 2\n"), "truncated"));
}

// ---- comparison with LIBLINEAR's programs -------------------------------------------------------------------------

TEST(LiblinearClasses, predictions_from_a_model_of_liblinear_equal_its_own) {
  if (!test::liblinear_is_installed()) GTEST_SKIP() << "liblinear-train and liblinear-predict are not installed";
  const ScratchFolder folder;
  for (const std::size_t classes : {2u, 3u, 4u})
    for (const int solver : {0, 1, 2, 3, 4, 5, 6, 7})
      for (const int bias : {-1, 1, 3}) {
        const Dataset data = generated(classes);
        folder.file("data.svm", test::libsvm_text(data));
        ASSERT_TRUE(test::runs(fmt::format("liblinear-train -s {} -B {} '{}' '{}'", solver, bias,
                                           folder.path("data.svm"), folder.path("theirs"))));
        const LinearModel model = read_model(folder.path("theirs"));
        EXPECT_EQ(model.outputs(), classes == 2 && solver != 4 ? 1 : classes);
        EXPECT_EQ(test::our_predictions(model, data), test::their_predictions(folder, "theirs"))
            << classes << " classes, -s " << solver << " -B " << bias;
      }
}

LinearModel random_model(const char* loss, std::size_t classes, Intercept intercept, Scaling scaling,
                         const Dataset& data, Rng& rng) {
  LinearModel model = model_of(loss, classes);
  const bool one_score = classes == 2 && !model.joint();
  const std::size_t outputs = one_score ? 1 : classes;
  model.labels = classes == 2 ? std::vector<double>{2, 7} : std::vector<double>{2, 7, 9};
  model.objective.intercept = intercept;
  model.transform = fit_transform(data, scaling, intercept == Intercept::penalized);
  model.x.clear();
  for (std::size_t at = 0; at < outputs * (intercept == Intercept::penalized ? 7 : 6); ++at)
    model.x.push_back(rng.normal());
  model.intercept.assign(outputs, 0.0);
  if (intercept == Intercept::free)
    for (double& b : model.intercept) b = rng.normal();
  return model;
}

TEST(LiblinearClasses, predictions_of_liblinear_from_our_file_equal_ours) {
  if (!test::liblinear_is_installed()) GTEST_SKIP() << "liblinear-predict is not installed";
  const ScratchFolder folder;
  Rng rng(15);
  for (const std::size_t classes : {2u, 3u})
    for (const char* loss : {"softmax", "multiclass-hinge", "logistic", "hinge", "squared-hinge", "smooth-hinge"})
      for (const Scaling scaling : {Scaling::none, Scaling::columns_std})
        for (const Intercept intercept : {Intercept::none, Intercept::penalized, Intercept::free}) {
          const Dataset data = generated(classes);
          folder.file("data.svm", test::libsvm_text(data));
          const LinearModel model = random_model(loss, classes, intercept, scaling, data, rng);
          write_liblinear_model(model, folder.path("ours"));
          const std::vector<double> ours = test::our_predictions(model, data);
          EXPECT_EQ(ours, test::their_predictions(folder, "ours")) << classes << " classes, " << loss;
          EXPECT_EQ(ours, test::our_predictions(read_model(folder.path("ours")), data))
              << classes << " classes, " << loss;
        }
}

TEST(LiblinearClasses, probabilities_of_liblinear_for_one_versus_rest_equal_ours) {
  if (!test::liblinear_is_installed()) GTEST_SKIP() << "liblinear-predict is not installed";
  const ScratchFolder folder;
  const Dataset data = generated(3);
  Rng rng(16);
  const LinearModel model = random_model("logistic", 3, Intercept::free, Scaling::none, data, rng);
  folder.file("data.svm", test::libsvm_text(data));
  write_liblinear_model(model, folder.path("ours"));
  ASSERT_TRUE(test::runs(fmt::format("liblinear-predict -b 1 '{}' '{}' '{}'", folder.path("data.svm"),
                                     folder.path("ours"), folder.path("predictions"))));
  const std::string theirs = folder.text_of("predictions");
  ASSERT_TRUE(begins(theirs, "labels 2 7 9\n"));

  std::vector<double> ours;
  const std::vector<double> z = decision_values(model, data);
  for (std::size_t i = 0; i < data.n(); ++i) {
    ours.push_back(predicted_label(model, &z[3 * i]));
    for (const double p : probabilities(model, &z[3 * i])) ours.push_back(p);
  }
  EXPECT_TRUE(all_near(test::numbers_in(theirs.substr(theirs.find('\n'))), ours, 1e-5));  // six digits are printed
}

}  // namespace liblinear_classes_test
}  // namespace seesaw
