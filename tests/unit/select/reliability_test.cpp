// Reliability before and after a calibration against sums written out here.
#include "select/reliability.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/rng.h"
#include "select/calibrate.h"
#include "support/problems.h"

namespace seesaw {
namespace reliability_test {

struct Sums {
  double brier = 0, log_loss = 0, weight = 0;
  std::vector<double> predicted = std::vector<double>(10), observed = predicted, of_bin = predicted;

  void add(double p, bool positive, double w) {
    const double one = positive ? 1 : 0;
    brier += w * (p - one) * (p - one);
    log_loss -= w * std::log(positive ? p : 1 - p);
    weight += w;
    const auto bin = static_cast<std::size_t>(std::min(9.0, std::floor(10 * p)));
    predicted[bin] += w * p;
    observed[bin] += w * one;
    of_bin[bin] += w;
  }

  void expect(const Reliability& found) const {
    EXPECT_NEAR(found.brier, brier / weight, 1e-12);
    EXPECT_NEAR(found.log_loss, log_loss / weight, 1e-12);
    std::size_t at = 0;
    for (std::size_t bin = 0; bin < 10; ++bin) {
      if (of_bin[bin] == 0) continue;
      ASSERT_LT(at, found.bins.size());
      EXPECT_NEAR(found.bins[at].predicted, predicted[bin] / of_bin[bin], 1e-12);
      EXPECT_NEAR(found.bins[at].observed, observed[bin] / of_bin[bin], 1e-12);
      EXPECT_NEAR(found.bins[at].weight, of_bin[bin], 1e-9);
      ++at;
    }
    EXPECT_EQ(at, found.bins.size());
  }
};

TEST(Reliability, CalibratesEachFoldByTheOthers) {
  const std::size_t n = 90;
  Dataset data = test::random_data(n, 3, Target::sign, 4);
  Rng rng(2);
  std::vector<double> scores;
  for (std::size_t i = 0; i < n; ++i) {
    scores.push_back(0.4 * data.labels[i] + rng.normal());
    data.weights.push_back(0.5 + rng.uniform());
  }
  const Folds folds = stratified_folds(data.labels, 3, 1);
  LinearModel model;
  model.objective.loss = "hinge";
  model.labels = {-1, 1};
  model.x = {0, 0, 0};
  model.intercept = {0};
  const auto found = check_calibration(model, CalibrationMethod::sigmoid, data, folds, scores);
  ASSERT_TRUE(found);

  Sums before, after;
  for (std::uint32_t f = 0; f < 3; ++f) {
    std::vector<ScoredRow> others;
    for (std::size_t i = 0; i < n; ++i)
      if (folds.of_row[i] != f) others.push_back({scores[i], data.weights[i], data.labels[i] > 0});
    const ScoreMap map = fit_sigmoid(others);
    for (std::size_t i = 0; i < n; ++i) {
      if (folds.of_row[i] != f) continue;
      before.add(1 / (1 + std::exp(-scores[i])), data.labels[i] > 0, data.weights[i]);
      after.add(1 / (1 + std::exp(map.a * scores[i] + map.b)), data.labels[i] > 0, data.weights[i]);
    }
  }
  before.expect(found->before);
  after.expect(found->after);
}

TEST(Reliability, NeedsEveryClassInTheOtherFolds) {
  Dataset data = test::random_data(10, 2, Target::sign, 4);
  data.labels = {1, 1, 1, 1, 1, -1, -1, -1, -1, -1};
  Folds folds;
  folds.count = 2;
  folds.of_row = {0, 0, 0, 0, 0, 1, 1, 1, 1, 1};
  LinearModel model;
  model.objective.loss = "hinge";
  model.labels = {-1, 1};
  model.x = {0, 0};
  model.intercept = {0};
  EXPECT_FALSE(check_calibration(model, CalibrationMethod::isotonic, data, folds, std::vector<double>(10, 0.5)));
}

}  // namespace reliability_test
}  // namespace seesaw
