// train_path() of the C++ interface: values, intervals and bounds against fits of train().
#include "seesaw/path.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "base/rng.h"
#include "seesaw/error.h"
#include "seesaw/seesaw.h"
#include "support/scratch_folder.h"

namespace seesaw {
namespace path_test {

Data rows() {
  Rng rng(8);
  std::vector<double> values, labels;
  for (int i = 0; i < 80; ++i) {
    double sum = 0;
    for (int j = 0; j < 4; ++j) sum += values.emplace_back(rng.normal());
    labels.push_back(sum + rng.normal() > 0 ? 1 : -1);
  }
  return Data::copy({80, 4, values}, {labels});
}

TEST(ModelPath, covers_every_C_within_the_accuracy) {
  const Data data = rows();
  const PathResult result = train_path(data, {.loss = LossName::hinge}, {.C = ValueRange{0.01, 100}, .accuracy = 1e-2});
  const ModelPath& path = result.path;
  EXPECT_EQ(result.status, Termination::converged);
  EXPECT_EQ(path.parameter(), "C");
  EXPECT_NEAR(path.range().low, 0.01, 1e-15);
  EXPECT_NEAR(path.range().high, 100, 1e-10);
  EXPECT_TRUE(path.complete());
  EXPECT_TRUE(path.uncovered().empty());
  EXPECT_EQ(path.accuracy(), 1e-2);
  ASSERT_GT(path.entries().size(), 3U);
  EXPECT_LT(path.entries().front().value, path.entries().back().value) << "the strongest penalty first";
  for (const double C : {0.01, 0.013, 0.4, 2.5, 31.0, 99.0}) {
    const auto chosen = path.covering(C);
    ASSERT_TRUE(chosen) << C;
    const double optimum =
        train(data, {.loss = LossName::hinge, .penalty = {.C = C}, .gap = 1e-9}).model.certificate().primal;
    EXPECT_LE(chosen->dual, optimum);
    EXPECT_LE(chosen->gap, 1e-2 * optimum * (1 + 1e-9));
    const PathEntry& entry = path.entries()[chosen->index];
    EXPECT_TRUE(entry.value == C || (entry.covers->low <= C * (1 + 1e-12) && C <= entry.covers->high * (1 + 1e-12)));
    // P of the covering model at C, from its scores.
    const Model model = path.model(chosen->index);
    double loss = 0, norm = 0;
    const std::vector<double> scores = model.decision(data);
    for (std::size_t i = 0; i < 80; ++i) loss += std::max(0.0, 1 - data.labels()[i] * scores[i]) / 80;
    for (const double w : model.weights()) norm += w * w;
    EXPECT_LE(loss + norm / (2 * C * 80), chosen->primal * (1 + 1e-9));
  }
  EXPECT_FALSE(path.covering(1e5));
  EXPECT_THROW(path.covering(-1), InvalidOption);
  EXPECT_THROW(path.model(1000), ShapeError);
}

TEST(ModelPath, verifies_and_is_the_same_after_a_file) {
  const Data data = rows();
  const ModelPath path =
      train_path(data, {.loss = LossName::logistic}, {.lambda = ValueRange{1e-3, 1}, .accuracy = 1e-2}).path;
  const VerifyResult found = verify(data, path);
  EXPECT_TRUE(found.holds);
  EXPECT_LE(found.gap, 1e-2 * found.primal);
  for (std::size_t k = 0; k < path.entries().size(); ++k) {
    const Model low = path.model_at_low(k), high = path.model_at_high(k);
    EXPECT_TRUE(verify(data, low).holds && verify(data, path.model(k)).holds && verify(data, high).holds);
    EXPECT_EQ(low.objective().lambda, path.entries()[k].covers->low);
    EXPECT_EQ(high.objective().lambda, path.entries()[k].covers->high);
    EXPECT_EQ(low.weights(), high.weights());
  }
  const test::ScratchFolder folder;
  const std::string name = folder.path("a.path");
  path.save(name);
  const ModelPath loaded = ModelPath::load(name);
  ASSERT_EQ(loaded.entries().size(), path.entries().size());
  for (std::size_t k = 0; k < path.entries().size(); ++k) {
    EXPECT_EQ(loaded.model(k).weights(), path.model(k).weights());
    EXPECT_EQ(loaded.model(k).dual(), path.model(k).dual());
    EXPECT_EQ(loaded.entries()[k].certificate.gap, path.entries()[k].certificate.gap);
    EXPECT_EQ(loaded.entries()[k].covers->low, path.entries()[k].covers->low);
  }
  EXPECT_TRUE(verify(data, loaded).holds);
  const std::vector<double> other(80, 1.0);
  EXPECT_THROW(verify(data.with_labels({.labels = other}), path), Error);
}

TEST(ModelPath, grid_by_default_and_stops) {
  const Data data = rows();
  const ModelPath grid =
      train_path(data, {.loss = LossName::logistic, .penalty = {.name = PenaltyName::l1}}, {.points = 7}).path;
  EXPECT_EQ(grid.entries().size(), 7U);
  EXPECT_EQ(grid.parameter(), "l1");
  const Model first = grid.model(0);
  for (const double w : first.weights()) EXPECT_EQ(w, 0);
  for (const PathEntry& entry : grid.entries()) EXPECT_LE(entry.certificate.relative_gap, 1e-6);

  int checks = 0;
  Training stopping{.loss = LossName::hinge};
  stopping.observer = [&](const Progress&) { return ++checks < 4; };
  const PathResult stopped = train_path(data, stopping, {.C = ValueRange{0.01, 100}});
  EXPECT_EQ(stopped.status, Termination::interrupted);
  EXPECT_FALSE(stopped.path.complete());
  EXPECT_FALSE(stopped.path.uncovered().empty());
  stopping.observer = [](const Progress&) -> bool { throw std::runtime_error("from the observer"); };
  EXPECT_THROW(train_path(data, stopping, {.C = ValueRange{0.01, 100}}), std::runtime_error);
}

TEST(ModelPath, refuses_what_has_no_meaning) {
  const Data data = rows();
  EXPECT_THROW(train_path(data, {.penalty = {.C = 1}}, {.C = ValueRange{0.1, 1}}), Error);
  EXPECT_THROW(train_path(data, {}, {.C = ValueRange{1, 0.1}}), InvalidOption);
  EXPECT_THROW(train_path(data, {}, {.C = ValueRange{0.1, 1}, .lambda = ValueRange{0.1, 1}}), Error);
  EXPECT_THROW(train_path(data, {.gap = 0.5}, {.C = ValueRange{0.1, 1}}), InvalidOption);
  EXPECT_THROW(train_path(data, {}, {.C = ValueRange{0.1, 1}, .accuracy = 2}), InvalidOption);
  EXPECT_THROW(
      train_path(data, {.warm_start = train(data, {.loss = LossName::logistic}).model}, {.C = ValueRange{0.1, 1}}),
      Error);
}

}  // namespace path_test
}  // namespace seesaw
