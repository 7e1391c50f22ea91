// Calibrations in model files, and the probabilities that they give.
#include "model/calibration.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "model/model_file.h"
#include "seesaw/error.h"

namespace seesaw {
namespace calibration_test {

LinearModel model_of(std::size_t outputs, Calibration calibration) {
  LinearModel model;
  model.objective.loss = "hinge";
  model.objective.lambda = 0.5;
  model.solver = "sdca";
  model.status = "converged";
  model.labels = {2, 5};
  if (outputs > 1) model.labels.push_back(7);
  model.intercept.assign(outputs, 0.0);
  model.x.assign(2 * outputs, 0.5);
  model.calibration = std::move(calibration);
  return model;
}

ScoreMap map(double a, double b) { return {a, b, {}, {}}; }
ScoreMap steps() { return {0, 0, {-1, 0.1, 0.5, 3}, {0, 0.25, 0.25, 0.75}}; }

TEST(Calibration, ReadsBackWhatIsWritten) {
  using enum CalibrationMethod;
  for (const LinearModel& model : {model_of(1, {sigmoid, {map(-1.1, 0.1)}}), model_of(1, {isotonic, {steps()}}),
                                   model_of(3, {sigmoid, {map(-1, 0), map(-2, 1e-300), map(0, -0.25)}}),
                                   model_of(3, {isotonic, {steps(), steps(), {0, 0, {1}, {0.5}}}})}) {
    const std::string text = model_file_text(model);
    const LinearModel again = parse_model_file(text, "m");
    EXPECT_EQ(again.version, 8u);
    ASSERT_TRUE(again.calibration.has_value());
    EXPECT_EQ(model_file_text(again), text);
    const std::vector<double> z = {0.3, -0.2, 0.9};
    EXPECT_EQ(probabilities(again, z.data()), probabilities(model, z.data()));
    EXPECT_TRUE(has_probabilities(again));
  }
  LinearModel plain = model_of(1, {});
  plain.calibration.reset();
  const nlohmann::json json = nlohmann::json::parse(model_file_text(plain));
  EXPECT_EQ(json["version"], 3);
  EXPECT_FALSE(json.contains("calibration"));
}

TEST(Calibration, GivesProbabilitiesThatSumToOne) {
  using enum CalibrationMethod;
  const LinearModel two = model_of(1, {isotonic, {steps()}});
  for (const auto& [z, p] : std::vector<std::pair<double, double>>{
           {-5, 0}, {-1, 0}, {0.1, 0.25}, {0.3, 0.25}, {0.5, 0.25}, {1.75, 0.5}, {3, 0.75}, {1e300, 0.75}}) {
    const std::vector<double> both = probabilities(two, &z);
    EXPECT_NEAR(both[1], p, 1e-16);
    EXPECT_EQ(both[0] + both[1], 1);
  }
  const LinearModel three = model_of(3, {isotonic, {steps(), steps(), steps()}});
  const std::vector<double> none = {-2, -3, -4}, some = {3, 0.3, -2};
  EXPECT_EQ(probabilities(three, none.data()), std::vector<double>(3, 1 / 3.0));
  EXPECT_EQ(probabilities(three, some.data()), (std::vector<double>{0.75, 0.25, 0}));
}

TEST(Calibration, RefusesDamagedData) {
  const auto refusal = [](const char* calibration, std::size_t outputs = 1) -> std::string {
    nlohmann::json json = nlohmann::json::parse(
        model_file_text(model_of(outputs, {CalibrationMethod::sigmoid, std::vector<ScoreMap>(outputs, map(-1, 0))})));
    json["calibration"] = nlohmann::json::parse(calibration);
    try {
      parse_model_file(json.dump(), "m");
    } catch (const Error& error) {
      return error.what();
    }
    return "accepted";
  };
  const auto has = [](const std::string& text, const char* part) { return text.find(part) != std::string::npos; };
  EXPECT_EQ(refusal(R"({"method": "sigmoid", "outputs": [{"a": -1, "b": 0}]})"), "accepted");
  EXPECT_TRUE(has(refusal(R"([])"), "not an object"));
  EXPECT_TRUE(has(refusal(R"({"method": "spline", "outputs": []})"), "not \"sigmoid\" or \"isotonic\""));
  EXPECT_TRUE(has(refusal(R"({"method": "sigmoid", "outputs": []})"), "has 0 maps of scores, and the model 1 score"));
  EXPECT_TRUE(has(refusal(R"({"method": "sigmoid", "outputs": [{"a": -1, "b": 0}]})", 3), "the model 3 scores"));
  EXPECT_TRUE(has(refusal(R"({"method": "sigmoid", "outputs": [{"a": -1}]})"), "no \"calibration.outputs.b\""));
  EXPECT_TRUE(has(refusal(R"({"method": "sigmoid", "outputs": [{"a": null, "b": 0}]})"), "not a number"));
  const auto isotonic = [&](const std::string& map) {
    return refusal((R"({"method": "isotonic", "outputs": [)" + map + "]}").c_str());
  };
  EXPECT_EQ(isotonic(R"({"scores": [0, 1], "probabilities": [0.1, 0.1]})"), "accepted");
  EXPECT_TRUE(has(isotonic(R"({"scores": [], "probabilities": []})"), "0 scores with 0 probabilities"));
  EXPECT_TRUE(has(isotonic(R"({"scores": [0, 1], "probabilities": [0.1]})"), "2 scores with 1 probabilities"));
  EXPECT_TRUE(has(isotonic(R"({"scores": [0, 0], "probabilities": [0.1, 0.2]})"), "scores do not ascend"));
  EXPECT_TRUE(has(isotonic(R"({"scores": [0, 1], "probabilities": [0.1, 1.2]})"), "1.2 is not a probability"));
  EXPECT_TRUE(has(isotonic(R"({"scores": [0, 1], "probabilities": [0.2, 0.1]})"), "probabilities descend"));
}

TEST(Calibration, BelongsToModelsWithAScorePerClass) {
  LinearModel model = model_of(1, {CalibrationMethod::sigmoid, {map(-1, 0)}});
  model.objective.loss = "squared";
  model.labels.clear();
  EXPECT_THROW(parse_model_file(model_file_text(model), "m"), Error);
}

}  // namespace calibration_test
}  // namespace seesaw
