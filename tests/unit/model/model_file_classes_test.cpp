// Model files, multiclass.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "base/rng.h"
#include "model/model_file.h"
#include "seesaw/error.h"
#include "support/expectations.h"
#include "support/scratch_folder.h"
#include "support/table.h"

namespace seesaw {
namespace model_file_classes_test {

using nlohmann::json;
using test::contains;
using test::ScratchFolder;
using test::sentence_of;

// Two features and the constant one, two rows, three classes.
LinearModel three_classes(const std::string& loss) {
  LinearModel model;
  model.objective = {.loss = loss,
                     .loss_parameter_name = "",
                     .lambda = 0.25,
                     .intercept = Intercept::penalized,
                     .class_weights = {{-1.5, 2}, {4, 0.1}, {5, 1}}};
  model.labels = {-1.5, 4, 5};
  model.transform.constant_feature = true;
  model.x = {0.1, -2.0 / 3, 5e-324, 1, 2, 3, 4, 5, 6};
  model.intercept = {0.5, -1e300, 1.0 / 3};
  model.certificate = Certificate{{.primal = 0.51, .dual = 0.49, .gap = 0.02}, 0.125};
  model.y = {-0.1, 0.05, 0.05, 1e-310, 0.25, -0.25};
  model.n = 2;
  model.data_hash = 7;
  model.solver = "sdca";
  model.status = "converged";
  if (model.one_versus_rest())
    model.classes = {{{0.3, 0.29, 0.01}, -1.5}, {{0.2, 0.19, 0.01}, 4}, {{0.01, 0.01, 0}, 5}};
  return model;
}

std::string text_of(const LinearModel& model) {
  const ScratchFolder folder;
  write_model(model, folder.path("m.model"));
  return folder.text_of("m.model");
}

LinearModel read(const std::string& text) {
  const ScratchFolder folder;
  return read_model(folder.file("m.model", text));
}

std::string refusal_of(const json& model) {
  return sentence_of<Error>([&] { read(model.dump()); });
}

void expect_same(const LinearModel& found, const LinearModel& model) {
  EXPECT_EQ(found.objective.loss, model.objective.loss);
  EXPECT_EQ(found.objective.class_weights, model.objective.class_weights);
  EXPECT_EQ(found.labels, model.labels);
  EXPECT_EQ(found.x, model.x);
  EXPECT_EQ(found.intercept, model.intercept);
  EXPECT_EQ(found.y, model.y);
  ASSERT_EQ(found.classes.size(), model.classes.size());
  for (std::size_t k = 0; k < model.classes.size(); ++k) {
    EXPECT_EQ(found.classes[k].label, model.classes[k].label);
    EXPECT_EQ(found.classes[k].primal, model.classes[k].primal);
    EXPECT_EQ(found.classes[k].dual, model.classes[k].dual);
    EXPECT_EQ(found.classes[k].gap, model.classes[k].gap);
  }
}

TEST(ModelFileClasses, every_field_is_read_back_unchanged) {
  for (const char* loss : {"softmax", "multiclass-hinge", "logistic", "hinge", "squared-hinge"})
    expect_same(read(text_of(three_classes(loss))), three_classes(loss));
}

TEST(ModelFileClasses, two_classes_of_a_block_loss_have_two_outputs) {
  LinearModel model = three_classes("softmax");
  model.labels.pop_back();
  model.intercept.pop_back();
  model.x.resize(6);
  model.y.resize(4);
  expect_same(read(text_of(model)), model);
  EXPECT_EQ(read(text_of(model)).outputs(), 2u);
}

TEST(ModelFileClasses, a_claim_that_is_not_finite_is_read_back) {
  LinearModel model = three_classes("hinge");
  model.classes[1].dual = -infinity;
  model.classes[1].gap = infinity;
  EXPECT_TRUE(contains(text_of(model), R"({"label": 4, "primal": 0.2, "dual": null, "gap": null})"));
  expect_same(read(text_of(model)), model);
}

TEST(ModelFileClasses, a_model_without_certificate_needs_none_per_class) {
  LinearModel model = three_classes("hinge");
  model.certificate.reset();
  model.classes.clear();
  model.y.clear();
  expect_same(read(text_of(model)), model);
}

TEST(ModelFileClasses, only_models_of_several_outputs_state_their_number) {
  const std::string text = text_of(three_classes("softmax"));
  std::vector<std::string> keys;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with('"')) keys.push_back(line.substr(1, line.find('"', 1) - 1));
  EXPECT_EQ(keys, (std::vector<std::string>{"format", "version", "objective", "labels", "outputs", "intercepts",
                                            "certificate", "classes", "data", "solver", "transform", "feature_names",
                                            "weights", "dual"}));
  EXPECT_EQ(json::parse(text)["version"], 3);
  EXPECT_EQ(json::parse(text)["outputs"], 3);
  EXPECT_EQ(json::parse(text)["data"]["d"], 2);

  LinearModel binary;
  binary.objective.loss = "hinge";
  binary.labels = {0, 1};
  binary.x = {1, 2};
  EXPECT_EQ(json::parse(text_of(binary))["version"], 3);
  EXPECT_FALSE(json::parse(text_of(binary)).contains("outputs"));
}

TEST(ModelFileClasses, one_output_is_read_in_the_second_version_too) {
  LinearModel binary;
  binary.objective.loss = "hinge";
  binary.labels = {0, 1};
  binary.x = {1, 2};
  json model = json::parse(text_of(binary));
  model["version"] = 2;
  model["outputs"] = 1;
  model["intercepts"] = {0.5};
  model["classes"] = json::array();
  EXPECT_EQ(read(model.dump()).intercept, std::vector<double>{0.5});
}

TEST(ModelFileClasses, a_missing_key_or_a_wrong_type_is_reported) {
  const json whole = json::parse(text_of(three_classes("hinge")));
  for (const char* key : {"outputs", "intercepts", "classes"}) {
    json less = whole;
    less.erase(key);
    EXPECT_TRUE(contains(refusal_of(less), std::string("the model has no \"") + key + "\""));
    for (const json& wrong : {json(-1), json("word"), json::array({true})}) {
      json other = whole;
      other[key] = wrong;
      EXPECT_TRUE(contains(refusal_of(other), std::string("\"") + key)) << wrong;
    }
  }
  for (const char* key : {"label", "primal", "dual", "gap"}) {
    json less = whole;
    less["classes"][1].erase(key);
    EXPECT_TRUE(contains(refusal_of(less), std::string("the model has no \"classes.") + key + "\""));
  }
  json none = whole;
  none["outputs"] = 0;
  EXPECT_TRUE(contains(refusal_of(none), "\"outputs\" is not a whole number above 0"));
}

TEST(ModelFileClasses, arrays_that_do_not_fit_together_are_refused) {
  const json joint = json::parse(text_of(three_classes("softmax")));
  const json apart = json::parse(text_of(three_classes("hinge")));
  const auto refused = [](json model, const char* key, const char* sentence) {
    model[key].erase(0);
    EXPECT_TRUE(contains(refusal_of(model), sentence));
  };
  for (const json& model : {joint, apart}) {
    refused(model, "labels", "there are 2 labels, expected 3");
    refused(model, "intercepts", "there are 2 intercepts, expected 3");
    refused(model, "weights", "there are 8 weights, expected 3 x 3");
    refused(model, "dual", "there are 5 dual numbers, expected 2 x 3");
  }
  refused(apart, "classes", "there are 2 certificates of classes, expected 3");

  json model = joint;
  model["classes"] = apart["classes"];
  EXPECT_TRUE(contains(refusal_of(model), "there are 3 certificates of classes, expected 0"));
  model = joint;
  model["data"]["d"] = 18446744073709551615u;
  EXPECT_TRUE(contains(refusal_of(model), "there cannot be 18446744073709551615 features"));
  model = joint;
  model["outputs"] = 6148914691236517206u;  // times 3 wraps around to 2
  EXPECT_TRUE(contains(refusal_of(model), "there are 3 intercepts, expected 6148914691236517206"));
}

TEST(ModelFileClasses, a_file_with_any_byte_changed_is_refused_or_usable) {
  const ScratchFolder folder;
  const Dataset data = test::table({{1, 2}, {0, 3}});
  const std::string bytes = "0129-\" \n]x";
  Rng rng(23);
  int files = 0;  // new ones: overwriting a file waits for the disk
  const std::string liblinear =
      "solver_type MCSVM_CS\nnr_class 3\nlabel 7 -2 5\nnr_feature 2\nbias 2\nw\n1 2 3 \n4 5 6 \n0.5 0.25 0.125 \n";
  for (const std::string& text : {text_of(three_classes("softmax")), text_of(three_classes("logistic")), liblinear})
    for (std::size_t at = 0; at < text.size(); ++at) {
      std::string changed = text;
      changed[at] = bytes[rng.below(static_cast<std::uint32_t>(bytes.size()))];
      const std::string path = folder.file(fmt::format("{}.model", files++), changed);
      try {
        const LinearModel model = read_model(path);
        if (data.d() > model.features()) continue;
        const std::vector<double> z = decision_values(model, data);
        ASSERT_EQ(z.size(), 2 * model.outputs());
        predicted_label(model, z.data());
        if (has_probabilities(model)) probabilities(model, z.data());
      } catch (const Error& error) {
        ASSERT_TRUE(test::begins(error.what(), path)) << changed;
      }
    }
}

TEST(ModelFileClasses, outputs_that_the_loss_cannot_have_are_refused) {
  json model = json::parse(text_of(three_classes("hinge")));
  model["objective"]["loss"] = "squared";
  EXPECT_TRUE(contains(refusal_of(model), "the loss squared has one output, but the model has 3 outputs"));
  model["objective"]["loss"] = "hinge";
  model["outputs"] = 2;
  model["intercepts"].erase(0);
  EXPECT_TRUE(
      contains(refusal_of(model), "the loss hinge has one output for two classes, but the model has 2 outputs"));
  model["outputs"] = 1;
  model["intercepts"].erase(0);
  model["objective"]["loss"] = "softmax";
  EXPECT_TRUE(contains(refusal_of(model), "the loss softmax has an output for each of two classes or more"));
}

}  // namespace model_file_classes_test
}  // namespace seesaw
