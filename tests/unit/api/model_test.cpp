// Model of the C++ interface: weights in the units of the data, single rows, wrong shapes, bytes, verify.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <span>
#include <utility>

#include "base/rng.h"
#include "seesaw/seesaw.h"

namespace seesaw {
namespace model_test {

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

Data dense(const Arrays& a) { return Data::copy({.rows = n, .features = d, .values = a.values}, {a.labels}); }

Training logistic() {
  Training training;
  training.loss = LossName::logistic;
  return training;
}

TEST(Weights, are_those_of_the_data_as_given_whatever_the_scaling) {
  for (const char* scale : {"none", "max", "columns-max", "columns-std", "rows"})
    for (const char* intercept : {"free", "penalized", "penalized by 3", "none"})
      for (const std::size_t classes : {2, 3}) {
        const Arrays a = arrays(classes);
        Training training;
        const bool by_three = std::string(intercept) == "penalized by 3";
        training.loss = classes == 2 ? LossName::logistic : LossName::softmax;
        training.penalty = {.lambda = 0.1};
        training.scaling = scaling_of(scale);
        training.intercept = by_three ? Intercept::penalized : intercept_of(intercept);
        training.intercept_scaling = by_three ? 3 : 1;
        const Model model = train(dense(a), training).model;
        EXPECT_TRUE(verify(dense(a), model).holds);
        const std::vector<double>& w = model.weights();
        const std::vector<double>& b = model.intercepts();
        const std::vector<double> scores = model.decision(dense(a));
        const std::size_t outputs = model.outputs();
        const bool rows = std::string(scale) == "rows", penalized = training.intercept == Intercept::penalized;
        ASSERT_EQ(w.size(), d * outputs);
        ASSERT_EQ(b.size(), outputs);
        EXPECT_EQ(model.intercept(), b[0]);
        EXPECT_EQ(model.scaled_weights().size(), (d + penalized) * outputs);
        for (std::size_t i = 0; i < n; ++i)
          for (std::size_t k = 0; k < outputs; ++k) {
            double score = 0, square = penalized ? training.intercept_scaling * training.intercept_scaling : 0;
            for (std::size_t j = 0; j < d; ++j) {
              score += a.values[i * d + j] * w[j * outputs + k];
              square += a.values[i * d + j] * a.values[i * d + j];
            }
            if (rows && penalized) score = (score + b[k]) / std::sqrt(square);
            else score = (rows ? score / std::sqrt(square) : score) + b[k];
            EXPECT_NEAR(score, scores[i * outputs + k], 1e-9 * (1 + std::abs(score))) << scale << ", " << intercept;
          }
        // One row at a time, dense and sparse: the same scores.
        const std::vector<std::uint32_t> columns = {0, 1, 2};
        std::vector<double> of_row(outputs), of_sparse(outputs);
        for (std::size_t i = 0; i < n; ++i) {
          const std::span<const double> row(&a.values[i * d], d);
          model.decision(row, of_row);
          model.decision(columns, row, of_sparse);
          if (outputs == 1) {
            EXPECT_EQ(model.decision(row), of_row[0]);
          }
          for (std::size_t k = 0; k < outputs; ++k) {
            EXPECT_NEAR(of_row[k], scores[i * outputs + k], 1e-13 * (1 + std::abs(of_row[k])));
            EXPECT_NEAR(of_sparse[k], of_row[k], 1e-13 * (1 + std::abs(of_row[k])));
          }
          EXPECT_EQ(model.predict(row), model.predict(dense(a))[i]);
        }
      }
}

// Column j of the scaled data is a_j / s_j, so that its weight is s_j times that of the data as given.
TEST(Weights, of_the_scaled_data_differ_by_the_factors_of_the_columns) {
  const Arrays a = arrays();
  Training training = logistic();
  training.scaling = Scaling::columns_max;
  const Model model = train(dense(a), training).model;
  for (std::size_t j = 0; j < d; ++j) {
    double largest = 0;
    for (std::size_t i = 0; i < n; ++i) largest = std::max(largest, std::abs(a.values[i * d + j]));
    EXPECT_NEAR(model.scaled_weights()[j], model.weights()[j] * largest, 1e-12 * std::abs(model.scaled_weights()[j]));
  }
  training.scaling = Scaling::none;
  const Model plain = train(dense(a), training).model;
  EXPECT_EQ(plain.scaled_weights(), plain.weights());
}

// expected and actual of the ShapeError that call() throws.
template <class Call>
std::pair<std::size_t, std::size_t> shapes(const Call& call) {
  try {
    call();
  } catch (const ShapeError& error) {
    EXPECT_GT(std::string(error.what()).size(), 10U);
    return {error.expected, error.actual};
  }
  return {0, 0};
}
using Shapes = std::pair<std::size_t, std::size_t>;

TEST(Decision, refuses_data_of_another_width) {
  const Model model = train(dense(arrays())).model;
  const std::vector<double> two = {1, 2}, four = {1, 2, 3, 4}, label = {0}, one = {5};
  const std::vector<std::uint64_t> offsets = {0, 1};
  const std::vector<std::uint32_t> column = {0};
  EXPECT_EQ(shapes([&] { model.decision(Data::copy({1, 2, two}, {label})); }), Shapes(3, 2));
  EXPECT_EQ(shapes([&] { model.decision(Data::copy({1, 4, four}, {label})); }), Shapes(3, 4));
  EXPECT_EQ(shapes([&] { model.decision(Data::copy({2, offsets, column, one}, {label})); }), Shapes(3, 2));
  EXPECT_EQ(shapes([&] { model.decision(Data::copy({3, offsets, column, one}, {label})); }), Shapes(0, 0));
}

TEST(Decision, of_one_row_refuses_a_row_that_is_too_short_or_too_long) {
  const Model model = train(dense(arrays())).model;
  const std::vector<double> two = {1, 2}, three = {1, 2, 3}, four = {1, 2, 3, 4};
  const std::vector<std::uint32_t> beyond = {0, 3};
  std::vector<double> score(1), scores(2);
  EXPECT_EQ(shapes([&] { model.decision(two); }), Shapes(3, 2));
  EXPECT_EQ(shapes([&] { model.decision(four); }), Shapes(3, 4));
  EXPECT_EQ(shapes([&] { model.predict(four); }), Shapes(3, 4));
  EXPECT_EQ(shapes([&] { model.decision(three, scores); }), Shapes(1, 2));
  EXPECT_EQ(shapes([&] { model.decision(beyond, two, score); }), Shapes(3, 4));
  EXPECT_EQ(shapes([&] { model.decision(beyond, three, score); }), Shapes(2, 3));
  EXPECT_EQ(shapes([&] { model.decision(three); }), Shapes(0, 0));
}

TEST(Model, to_bytes_and_back_is_the_same_model) {
  const Data data = dense(arrays(3));
  Training training;
  training.loss = LossName::squared_hinge;  // one-versus-rest
  training.scaling = Scaling::columns_std;
  training.intercept = Intercept::penalized;
  training.intercept_scaling = 0.3;
  const Model model = train(data, training).model, again = Model::from_bytes(model.to_bytes());
  EXPECT_EQ(again.to_bytes(), model.to_bytes());
  EXPECT_EQ(again.decision(data), model.decision(data));
  EXPECT_EQ(again.objective().intercept_scaling, 0.3);
  EXPECT_EQ(again.objective().loss, "squared-hinge");
  EXPECT_EQ(again.classes().size(), 3U);
  EXPECT_TRUE(verify(data, again).holds);
  EXPECT_THROW(Model::from_bytes("{"), ParseError);
  EXPECT_THROW(Model::from_bytes(""), Error);
}

TEST(Verify, returns_what_it_found) {
  const Data data = dense(arrays());
  const Model model = train(data, logistic()).model;
  const VerifyResult found = verify(data, model);
  EXPECT_TRUE(found.holds);
  EXPECT_TRUE(found.problems.empty());
  EXPECT_LE(found.gap, model.certificate().gap);
  EXPECT_GE(found.gap, 0);
  std::string forged = model.to_bytes();
  const std::string digits = fmt::format("\"dual\": {}", model.certificate().dual);
  const std::size_t at = forged.find(digits);
  ASSERT_NE(at, std::string::npos);
  forged.replace(at, digits.size(), fmt::format("\"dual\": {}", model.certificate().dual + 0.5));
  const VerifyResult refuted = verify(data, Model::from_bytes(forged));
  EXPECT_FALSE(refuted.holds);
  EXPECT_FALSE(refuted.problems.empty());
  EXPECT_THROW(verify(dense(arrays(3)), model), Error) << "other data";
}

}  // namespace model_test
}  // namespace seesaw
