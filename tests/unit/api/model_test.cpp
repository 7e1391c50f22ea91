// Model of the C++ interface: weights in the units of the data, and data of the wrong width.
#include <gtest/gtest.h>

#include <cmath>
#include <span>

#include "base/rng.h"
#include "seesaw/seesaw.h"

namespace seesaw {
namespace {

constexpr std::size_t n = 60, d = 3;

struct Arrays {
  std::vector<double> values, labels;
};

// Columns of very different scales; two classes, or three.
Arrays arrays(std::size_t classes = 2) {
  Rng rng(7);
  const double units[d] = {1000, 1, 0.01};
  Arrays a;
  for (std::size_t i = 0; i < n; ++i) {
    double z[d];
    for (std::size_t j = 0; j < d; ++j) a.values.push_back(units[j] * (z[j] = rng.normal() + 0.5));
    a.labels.push_back(classes == 2 ? (z[0] + z[1] + 0.3 * rng.normal() > 1) : static_cast<double>(i % classes));
  }
  return a;
}

Data dense(const Arrays& a) { return Data::dense(d, a.values, a.labels); }

std::string complaint(const Model& model, const Data& data) {
  try {
    model.decision(data);
  } catch (const Error& error) {
    return error.what();
  }
  return "nothing";
}

TEST(Weights, are_those_of_the_data_as_given_whatever_the_scaling) {
  for (const char* scale : {"none", "max", "columns-max", "columns-std", "rows"})
    for (const char* intercept : {"free", "penalized", "none"})
      for (const std::size_t classes : {2, 3}) {
        const Arrays a = arrays(classes);
        Training training;
        training.loss = classes == 2 ? "logistic" : "softmax";
        training.lambda = 0.1;
        training.scale = scale;
        training.intercept = intercept;
        const Model model = train(dense(a), training);
        const std::vector<double> w = model.weights(), b = model.intercepts(), scores = model.decision(dense(a));
        const std::size_t outputs = model.outputs();
        const bool rows = std::string(scale) == "rows", penalized = std::string(intercept) == "penalized";
        ASSERT_EQ(w.size(), d * outputs);
        ASSERT_EQ(b.size(), outputs);
        EXPECT_EQ(model.intercept(), b[0]);
        EXPECT_EQ(model.scaled_weights().size(), (d + penalized) * outputs);
        for (std::size_t i = 0; i < n; ++i)
          for (std::size_t k = 0; k < outputs; ++k) {
            double score = 0, square = penalized ? 1 : 0;
            for (std::size_t j = 0; j < d; ++j) {
              score += a.values[i * d + j] * w[j * outputs + k];
              square += a.values[i * d + j] * a.values[i * d + j];
            }
            if (rows && penalized) score = (score + b[k]) / std::sqrt(square);
            else score = (rows ? score / std::sqrt(square) : score) + b[k];
            EXPECT_NEAR(score, scores[i * outputs + k], 1e-9 * (1 + std::abs(score))) << scale << ", " << intercept;
          }
      }
}

// Column j of the scaled data is a_j / s_j, so that its weight is s_j times that of the data as given.
TEST(Weights, of_the_scaled_data_differ_by_the_factors_of_the_columns) {
  const Arrays a = arrays();
  Training training;
  training.scale = "columns-max";
  const Model model = train(dense(a), training);
  for (std::size_t j = 0; j < d; ++j) {
    double largest = 0;
    for (std::size_t i = 0; i < n; ++i) largest = std::max(largest, std::abs(a.values[i * d + j]));
    EXPECT_NEAR(model.scaled_weights()[j], model.weights()[j] * largest, 1e-12 * std::abs(model.scaled_weights()[j]));
  }
  training.scale = "none";
  const Model plain = train(dense(a), training);
  EXPECT_EQ(plain.scaled_weights(), plain.weights());
}

TEST(Decision, refuses_rows_of_another_width) {
  const Model model = train(dense(arrays()));
  const std::vector<double> two = {1, 2}, four = {1, 2, 3, 4}, label = {0};
  EXPECT_EQ(complaint(model, Data::dense(2, two, label)),
            "data in memory has 2 features, but the model was trained on 3. Give it data with the same features.");
  EXPECT_NE(complaint(model, Data::dense(4, four, label)).find("has 4 features, but the model was trained on 3"),
            std::string::npos);
  const std::vector<std::uint64_t> offsets = {0, 1};
  const std::vector<std::uint32_t> column = {0};
  const std::vector<double> one = {5};
  EXPECT_NE(complaint(model, Data::sparse(2, offsets, column, one, label)).find("has 2 features"), std::string::npos);
  EXPECT_EQ(complaint(model, Data::sparse(3, offsets, column, one, label)), "nothing");
}

}  // namespace
}  // namespace seesaw
