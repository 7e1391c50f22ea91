// train() of the C++ interface: every field of Training reaches the run, and the result shows what was done.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <thread>

#include "base/rng.h"
#include "seesaw/seesaw.h"

namespace seesaw {
namespace train_test {

Data rows(std::size_t n, std::size_t d, std::size_t classes = 2) {
  Rng rng(3);
  std::vector<double> values, labels;
  for (std::size_t i = 0; i < n; ++i) {
    double sum = 0;
    for (std::size_t j = 0; j < d; ++j) sum += values.emplace_back(rng.normal());
    labels.push_back(classes == 2 ? (sum + 2 * rng.normal() > 0) : static_cast<double>(i % classes));
  }
  return Data::copy({n, d, values}, {labels});
}

TEST(Train, returns_method_passes_seconds_and_trace) {
  const TrainingResult result = train(rows(100, 5), {.loss = LossName::logistic, .solver = "sdca", .gap = 1e-6});
  EXPECT_EQ(result.status, Termination::converged);
  EXPECT_EQ(result.method, "sdca");
  EXPECT_EQ(result.model.solver(), "sdca");
  EXPECT_EQ(result.model.passes(), result.passes);
  ASSERT_GT(result.trace.size(), 1U);
  EXPECT_EQ(result.trace.back().passes, result.passes);
  EXPECT_EQ(result.trace.back().gap, result.model.certificate().gap);
  EXPECT_LE(result.trace.back().gap, 1e-6 * result.trace.back().primal);
  for (std::size_t k = 1; k < result.trace.size(); ++k) {
    EXPECT_GE(result.trace[k].passes, result.trace[k - 1].passes);
    EXPECT_GE(result.trace[k].entry_passes, result.trace[k - 1].entry_passes);
  }
  EXPECT_GE(result.seconds, result.trace.back().solve_seconds);
  const TrainingResult by_auto = train(rows(100, 5));
  EXPECT_EQ(by_auto.model.solver(), "auto");
  EXPECT_NE(by_auto.method, "auto") << "the method it selected";
  EXPECT_FALSE(by_auto.method.empty());
}

TEST(Train, losses_of_groups_have_blocks) {
  const Data data = rows(60, 3);
  Training training{.gap = 1e-5};
  training.loss.name = "group-max-hinge";
  EXPECT_THROW(train(data, training), Error);  // without blocks
  for (std::int64_t i = 0; i < 60; ++i) training.blocks.push_back(-100 * (i % 15));
  const TrainingResult result = train(data, training);
  EXPECT_EQ(result.status, Termination::converged);
  EXPECT_TRUE(verify(data, result.model, training.blocks).holds);
  EXPECT_THROW(verify(data, result.model), Error);
  std::vector<std::int64_t> other = training.blocks;
  std::swap(other[0], other[1]);
  EXPECT_THROW(verify(data, result.model, other), Error);
  Training warm = training;
  warm.warm_start = result.model;
  EXPECT_THROW(train(data, warm), Unsupported);
  training.blocks.pop_back();
  EXPECT_THROW(train(data, training), ShapeError);
}

TEST(Train, keeps_its_lines_if_asked) {
  EXPECT_TRUE(train(rows(50, 3)).lines.empty());
  const std::string lines = train(rows(50, 3), {.keep_lines = true}).lines;
  std::vector<std::string> types;
  for (std::size_t at = 0; at < lines.size(); at = lines.find('\n', at) + 1) {
    const nlohmann::json line = nlohmann::json::parse(lines.substr(at, lines.find('\n', at) - at));
    types.push_back(line.at("type"));
    if (types.back() == "header") {
      EXPECT_NE(std::string(line.at("objective")).find("logistic loss, l2 penalty"), std::string::npos);
    }
    if (types.back() == "end") {
      EXPECT_EQ(line.at("coefficients").size(), 3U);
    }
  }
  ASSERT_GE(types.size(), 3U);
  EXPECT_EQ(types.front(), "header");
  EXPECT_EQ(types.back(), "end");
  EXPECT_NE(std::count(types.begin(), types.end(), "check"), 0);
}

TEST(Train, refuses_what_is_not_allowed_by_the_name_of_the_field) {
  const auto field = [](const Training& training) -> std::string {
    try {
      train(rows(20, 2), training);
    } catch (const InvalidOption& error) {
      EXPECT_NE(std::string(error.what()).find("`" + error.field + "`"), std::string::npos);
      EXPECT_FALSE(error.allowed.empty());
      return error.field + "=" + error.value;
    }
    return "nothing";
  };
  EXPECT_EQ(field({.gap = -1}), "gap=-1");
  EXPECT_EQ(field({.gap_abs = -1}), "gap_abs=-1");
  EXPECT_EQ(field({.max_passes = -2}), "max_passes=-2");
  EXPECT_EQ(field({.seconds = -3}), "seconds=-3");
  EXPECT_EQ(field({.check_every = -4}), "check_every=-4");
  EXPECT_EQ(field({.penalty = {.lambda = -1}}), "lambda=-1");
  EXPECT_EQ(field({.penalty = {.C = 0}}), "C=0");
  EXPECT_EQ(field({.loss = {LossName::huber, -1}}), "huber=-1");
  EXPECT_EQ(field({.intercept = Intercept::penalized, .intercept_scaling = 0}), "intercept_scaling=0");
  EXPECT_EQ(field({.intercept_scaling = 2}), "intercept_scaling=2") << "ignored by a free intercept";
  EXPECT_EQ(field({.class_weights = {{1, -1}}}), "class_weights=1=-1");
  EXPECT_EQ(field({.solver = "quickest"}), "solver=quickest");
  EXPECT_EQ(field({.solver = "sdca", .solver_options = {{"draw", "red"}}}), "draw=red");
  EXPECT_EQ(field({.threads = 5000}), "threads=5000");
  Training unknown;
  unknown.loss.name = "nonsense";
  EXPECT_EQ(field(unknown), "loss=nonsense");
  EXPECT_THROW(train(rows(20, 2), {.penalty = {.name = PenaltyName::none}, .solver = "sdca"}), Unsupported);
}

// The penalized intercept of constant B is the weight of a column of B, times B.
TEST(Train, with_intercept_scaling_is_a_column_of_that_value) {
  const std::size_t n = 80, d = 3;
  const double B = 7;
  Rng rng(5);
  std::vector<double> values, augmented, labels;
  for (std::size_t i = 0; i < n; ++i) {
    double sum = 1;
    for (std::size_t j = 0; j < d; ++j) sum += augmented.emplace_back(values.emplace_back(rng.normal()));
    augmented.push_back(B);
    labels.push_back(sum + rng.normal() > 0);
  }
  Training training = {.loss = LossName::squared_hinge, .penalty = {.lambda = 0.3}, .gap = 1e-10};
  training.intercept = Intercept::penalized;
  training.intercept_scaling = B;
  const Data data = Data::copy({n, d, values}, {labels});
  const Model model = train(data, training).model;
  EXPECT_TRUE(verify(data, model).holds);
  EXPECT_EQ(model.objective().intercept_scaling, B);
  training.intercept = Intercept::none;
  training.intercept_scaling = 1;
  const Model column = train(Data::copy({n, d + 1, augmented}, {labels}), training).model;
  EXPECT_NEAR(model.certificate().primal, column.certificate().primal, 1e-9 * column.certificate().primal);
  for (std::size_t j = 0; j < d; ++j) EXPECT_NEAR(model.weights()[j], column.weights()[j], 1e-4);
  EXPECT_NEAR(model.intercept(), B * column.weights()[d], 1e-4 * B);
  EXPECT_EQ(model.scaled_weights().size(), d + 1);
}

TEST(Train, is_the_same_for_any_number_of_threads) {
  const Data data = rows(3000, 30);
  const std::string one = train(data, {.threads = 1}).model.to_bytes();
  EXPECT_EQ(train(data, {.threads = 2}).model.to_bytes(), one);
  EXPECT_EQ(train(data, {.threads = 7}).model.to_bytes(), one);
  std::string inside;
  with_threads(2, [&] { inside = train(data).model.to_bytes(); });
  EXPECT_EQ(inside, one);
}

TEST(Train, may_be_called_from_several_threads_on_the_same_data) {
  const Data data = rows(400, 10);
  const std::string alone = train(data).model.to_bytes();
  std::vector<std::string> models(4);
  std::vector<std::thread> threads;
  for (std::string& model : models) threads.emplace_back([&] { model = train(data, {.threads = 2}).model.to_bytes(); });
  for (std::thread& thread : threads) thread.join();
  for (const std::string& model : models) EXPECT_EQ(model, alone);
}

TEST(Train, starts_from_another_model) {
  const Data data = rows(200, 8);
  const Training exact = {.loss = LossName::hinge, .solver = "sdca", .gap = 1e-8};
  const TrainingResult cold = train(data, exact);
  Training again = exact;
  again.warm_start = cold.model;
  const TrainingResult warm = train(data, again);
  EXPECT_EQ(warm.status, Termination::converged);
  EXPECT_LT(warm.passes, cold.passes);
}

TEST(Observer, sees_checks_and_can_end_the_training) {
  const Data data = rows(200, 8);
  std::vector<Progress> seen;
  Training training = {.loss = LossName::hinge, .penalty = {.lambda = 1e-4}, .solver = "sdca", .gap = 1e-10};
  training.observer = [&](const Progress& progress) {
    if (progress.is_check) seen.push_back(progress);
    return seen.size() < 3;
  };
  const TrainingResult result = train(data, training);
  EXPECT_EQ(result.status, Termination::interrupted);
  ASSERT_GE(seen.size(), 3U);
  EXPECT_LE(seen[2].gap, seen[1].gap);
  EXPECT_TRUE(verify(data, result.model).holds) << "a stopped training has a certificate";
}

TEST(Observer, whose_exception_ends_the_training_and_is_rethrown) {
  Training training;
  training.observer = [](const Progress&) -> bool { throw std::domain_error("mine"); };
  EXPECT_THROW(train(rows(50, 3), training), std::domain_error);
}

// Epochs that take long: 200,000 rows x 40 features, and a method whose epoch is a pass. With an interval of 0 every poll
// of the method is a call.
TEST(Observer, is_called_within_long_epochs_too) {
  const Data data = rows(200000, 40);
  std::size_t checks = 0, between = 0;
  Training training = {.loss = LossName::hinge, .solver = "sdca", .max_passes = 6};
  training.progress_interval = 0;
  training.observer = [&](const Progress& progress) {
    ++(progress.is_check ? checks : between);
    return true;
  };
  const TrainingResult result = train(data, training);
  EXPECT_EQ(checks, result.trace.size());
  EXPECT_GT(between, 2 * result.passes) << "several polls per pass";
}

TEST(Stop, ends_the_training_with_a_certificate) {
  const Data data = rows(20000, 40);
  std::stop_source source;
  Training training = {.loss = LossName::hinge, .penalty = {.C = 1e6}, .solver = "sdca", .gap = 1e-12};
  training.stop = source.get_token();
  training.progress_interval = 0;
  std::atomic<int> calls = 0;
  training.observer = [&](const Progress&) {
    if (++calls == 5) source.request_stop();
    return true;
  };
  const TrainingResult result = train(data, training);
  EXPECT_EQ(result.status, Termination::interrupted);
  EXPECT_TRUE(verify(data, result.model).holds);
}

TEST(OneVersusRest, names_the_class_of_each_point) {
  Training training = {.loss = LossName::squared_hinge};
  std::vector<double> seen;
  training.observer = [&](const Progress& progress) {
    if (progress.is_check) seen.push_back(progress.class_label.value_or(-1));
    return true;
  };
  const TrainingResult result = train(rows(90, 4, 3), training);
  EXPECT_TRUE(std::is_sorted(seen.begin(), seen.end()));
  EXPECT_EQ(seen.front(), 0);
  EXPECT_EQ(seen.back(), 2);
  EXPECT_EQ(result.model.classes().size(), 3U);
}

}  // namespace train_test
}  // namespace seesaw
