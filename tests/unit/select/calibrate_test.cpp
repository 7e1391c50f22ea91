// Calibration against slow references: the sigmoid by nested bisection in long double, the isotonic function by its
// min-max formula.
#include "select/calibrate.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "base/rng.h"
#include "seesaw/error.h"
#include "select/tune.h"
#include "solvers/catalog.h"
#include "support/problems.h"
#include "support/threads.h"

namespace seesaw {
namespace calibrate_test {

using Wide = long double;

std::vector<ScoredRow> random_rows(std::size_t n, double scale, double shift, double noise, bool weighted,
                                   std::uint64_t seed) {
  Rng rng(seed);
  std::vector<ScoredRow> rows;
  for (std::size_t i = 0; i < n; ++i) {
    const double z = rng.normal();
    rows.push_back(
        {shift + scale * z, weighted ? 0.25 + rng.uniform() : 1, i == 0 || (i > 1 && z + noise * rng.normal() > 0.3)});
  }
  return rows;
}

// The root of a nondecreasing function, by bisection from a bracket that is widened first.
Wide root_of(const std::function<Wide(Wide)>& f, Wide width) {
  Wide low = -width, high = width;
  while (f(low) > 0) low *= 2;
  while (f(high) < 0) high *= 2;
  for (int step = 0; step < 120; ++step) {
    const Wide middle = (low + high) / 2;
    (f(middle) < 0 ? low : high) = middle;
  }
  return (low + high) / 2;
}

// Of p = 1 / (1 + exp(-(u (z - centre) + w))): the best w for every u by bisection, then u by bisection of the derivative of
// the partial minimum, both of which are monotone.
struct Sigmoid {
  Wide a, b;
};
Sigmoid slow_sigmoid(const std::vector<ScoredRow>& rows) {
  Wide positives = 0, negatives = 0, centre = 0, spread = 0;
  for (const ScoredRow& row : rows) {
    (row.positive ? positives : negatives) += row.weight;
    centre += row.score / static_cast<Wide>(rows.size());
  }
  for (const ScoredRow& row : rows) spread = std::max(spread, std::abs(row.score - centre));
  const auto derivative = [&](Wide u, Wide w, bool of_u) {
    Wide sum = 0;
    for (const ScoredRow& row : rows) {
      const Wide s = (row.score - centre) / spread, p = 1 / (1 + std::exp(-(u * s + w)));
      const Wide target = row.positive ? (positives + 1) / (positives + 2) : 1 / (negatives + 2);
      sum += row.weight * (p - target) * (of_u ? s : 1);
    }
    return sum;
  };
  const auto best_w = [&](Wide u) { return root_of([&](Wide w) { return derivative(u, w, false); }, 1); };
  const Wide u = root_of([&](Wide v) { return derivative(v, best_w(v), true); }, 1), w = best_w(u);
  return {-u / spread, -(w - u * centre / spread)};
}

TEST(SigmoidCalibration, MinimizesPlattsObjective) {
  struct Case {
    std::size_t n;
    double scale, shift, noise;
    bool weighted;
  };
  std::uint64_t seed = 0;
  for (const Case c : {Case{40, 1, 0, 1, false}, Case{41, 1, 0, 1, true}, Case{60, 1e6, 0, 0.5, false},
                       Case{60, 1e-9, 0, 0.5, true}, Case{30, 1, 50, 1, false}, Case{50, 1, 0, 0, false},
                       Case{50, 1, 0, 0, true}, Case{35, 1, -3, 100, false}, Case{2, 1, 0, 1, false}}) {
    const std::vector<ScoredRow> rows = random_rows(c.n, c.scale, c.shift, c.noise, c.weighted, ++seed);
    const ScoreMap map = fit_sigmoid(rows);
    const Sigmoid slow = slow_sigmoid(rows);
    const Wide size = std::abs(slow.a) * (c.scale + std::abs(c.shift)) + std::abs(slow.b);
    EXPECT_NEAR(map.a, double(slow.a), double(1e-11L * size / c.scale)) << c.n << " " << c.scale << " " << c.shift;
    EXPECT_NEAR(map.b, double(slow.b), double(1e-11L * size * (1 + std::abs(c.shift) / c.scale)))
        << c.n << " " << c.scale;
    for (const ScoredRow& row : rows)
      EXPECT_NEAR(calibrated(CalibrationMethod::sigmoid, map, row.score),
                  double(1 / (1 + std::exp(slow.a * row.score + slow.b))), 1e-11);
  }
}

// Where all scores are equal a is not determined: p is the mean of the targets.
TEST(SigmoidCalibration, OfEqualScoresIsTheMeanOfTheTargets) {
  std::vector<ScoredRow> rows;
  for (int i = 0; i < 10; ++i) rows.push_back({2.5, 1, i < 3});
  const ScoreMap map = fit_sigmoid(rows);
  EXPECT_EQ(map.a, 0);
  const double expected = (3 * 4.0 / 5 + 7 * 1.0 / 9) / 10;
  EXPECT_NEAR(calibrated(CalibrationMethod::sigmoid, map, -100.0), expected, 1e-15);
}

// Symmetric scores: a by hand. Two rows, z = +-1: p(1) = t+ = 2/3, so a = -log 2, b = 0.
TEST(SigmoidCalibration, OfTwoRowsIsKnown) {
  const ScoreMap map = fit_sigmoid({{1, 1, true}, {-1, 1, false}});
  EXPECT_NEAR(map.a, -std::log(2.0), 1e-15);
  EXPECT_NEAR(map.b, 0, 1e-15);
}

// ---- isotonic -----------------------------------------------------------------------------------------------------

// max over s <= i of min over t >= i of the weighted mean of the rows with scores from z_s to z_t.
std::vector<double> min_max(const std::vector<ScoredRow>& rows) {
  std::vector<double> scores;
  for (const ScoredRow& row : rows) scores.push_back(row.score);
  std::sort(scores.begin(), scores.end());
  scores.erase(std::unique(scores.begin(), scores.end()), scores.end());
  const auto mean = [&](double from, double to) {
    Wide ones = 0, all = 0;
    for (const ScoredRow& row : rows)
      if (from <= row.score && row.score <= to) {
        all += row.weight;
        if (row.positive) ones += row.weight;
      }
    return ones / all;
  };
  std::vector<double> values;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    Wide most = 0;
    for (std::size_t s = 0; s <= i; ++s) {
      Wide least = 1;
      for (std::size_t t = i; t < scores.size(); ++t) least = std::min(least, mean(scores[s], scores[t]));
      most = std::max(most, least);
    }
    values.push_back(double(most));
  }
  return values;
}

TEST(IsotonicCalibration, IsTheMinMaxFormulaAtEveryScore) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    std::vector<ScoredRow> rows = random_rows(4 + seed % 40, 1, 0, seed % 3 == 0 ? 0.2 : 2, seed % 2 == 0, seed);
    if (seed % 4 != 0)  // ties
      for (ScoredRow& row : rows) row.score = std::round(3 * row.score);
    const ScoreMap map = fit_isotonic(rows);
    EXPECT_EQ(inconsistency_of({CalibrationMethod::isotonic, {map}}, 1), "");
    std::vector<double> scores;
    for (const ScoredRow& row : rows) scores.push_back(row.score);
    std::sort(scores.begin(), scores.end());
    scores.erase(std::unique(scores.begin(), scores.end()), scores.end());
    const std::vector<double> expected = min_max(rows);
    for (std::size_t i = 0; i < scores.size(); ++i)
      EXPECT_NEAR(calibrated(CalibrationMethod::isotonic, map, scores[i]), expected[i], 1e-14) << seed;
    const auto at = [&](double z) { return calibrated(CalibrationMethod::isotonic, map, z); };
    EXPECT_EQ(at(scores.front() - 1), at(scores.front()));
    EXPECT_EQ(at(scores.back() + 1), at(scores.back()));
    for (std::size_t i = 0; i + 1 < scores.size(); ++i)
      EXPECT_NEAR(at((scores[i] + scores[i + 1]) / 2), (expected[i] + expected[i + 1]) / 2, 1e-14);
    std::reverse(rows.begin(), rows.end());  // the order of the rows has no influence
    for (std::size_t i = 0; i < scores.size(); ++i)
      EXPECT_NEAR(calibrated(CalibrationMethod::isotonic, fit_isotonic(rows), scores[i]), expected[i], 1e-14);
  }
}

// ---- intervals of scores --------------------------------------------------------------------------------------------

TEST(CalibratedInterval, ContainsTheProbabilitiesOfItsScores) {
  Rng rng(3);
  for (int round = 0; round < 2000; ++round) {
    const bool sigmoid = round % 2 == 0;
    const auto method = sigmoid ? CalibrationMethod::sigmoid : CalibrationMethod::isotonic;
    ScoreMap map{3 * rng.normal(), 3 * rng.normal(), {}, {}};
    if (round % 20 == 0) map.a = 0;
    if (!sigmoid) map = fit_isotonic(random_rows(30, 1, 0, 1, true, std::uint64_t(round)));
    const double scale = round % 5 == 0 ? 300 : 2;
    const double one = scale * rng.normal(), two = one + scale * std::abs(rng.normal());
    const Interval p = calibrated(method, map, Interval{one, two});
    for (const double along : {0.0, 0.3, 1.0}) {
      const double z = along == 1 ? two : one + along * (two - one);
      const Wide exact = sigmoid ? 1 / (1 + std::exp(Wide(map.a) * z + map.b)) : Wide(calibrated(method, map, z));
      EXPECT_LE(p.lo, exact);
      EXPECT_GE(p.hi, exact);
    }
    EXPECT_LE(p.hi - p.lo, std::abs(calibrated(method, map, two) - calibrated(method, map, one)) + 1e-11);
    const Interval all = calibrated(method, map, Interval{-infinity, infinity});
    EXPECT_LE(all.lo, p.lo);
    EXPECT_GE(all.hi, p.hi);
  }
}

// ---- of a model -----------------------------------------------------------------------------------------------------

TEST(CalibrateModel, UsesTheRowsThatWereValidatedClassByClass) {
  const Dataset data = test::random_classes(90, 5, 3, 4);
  const Folds folds = stratified_folds(data.labels, 3, 1);
  TuneRequest request;
  request.fit.solver.name = default_solver;
  request.groups = {{.loss = "squared-hinge", .regularizer = "l2"}};
  request.values = {0.5};
  FitSpec spec = request.fit;
  spec.objective = chosen_objective(request, {0, 0.5}, double(data.n()));
  LinearModel model = fit(data, spec).model;
  std::vector<double> scores = out_of_fold_scores(data, folds, request, {0, 0.5});
  for (std::size_t k = 0; k < 3; ++k) scores[4 * 3 + k] = std::numeric_limits<double>::quiet_NaN();
  for (const auto method : {CalibrationMethod::sigmoid, CalibrationMethod::isotonic}) {
    model.calibration = calibrate(model, method, data, scores);
    ASSERT_EQ(model.calibration->outputs.size(), 3u);
    for (std::size_t k = 0; k < 3; ++k) {
      std::vector<ScoredRow> rows;
      for (std::size_t i = 0; i < data.n(); ++i)
        if (i != 4) rows.push_back({scores[i * 3 + k], 1, data.labels[i] == model.labels[k]});
      const ScoreMap own = method == CalibrationMethod::sigmoid ? fit_sigmoid(rows) : fit_isotonic(rows);
      EXPECT_EQ(model.calibration->outputs[k].a, own.a);
      EXPECT_EQ(model.calibration->outputs[k].b, own.b);
      EXPECT_EQ(model.calibration->outputs[k].scores, own.scores);
      EXPECT_EQ(model.calibration->outputs[k].probabilities, own.probabilities);
    }
    for (std::size_t i = 5; i < data.n(); ++i) {
      const std::vector<double> p = probabilities(model, &scores[3 * i]);
      double q[3], sum = 0;
      for (std::size_t k = 0; k < 3; ++k)
        sum += q[k] = calibrated(method, model.calibration->outputs[k], scores[3 * i + k]);
      for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(p[k], sum > 0 ? q[k] / sum : 1 / 3.0, 1e-15);
    }
  }
}

TEST(CalibrateModel, RefusesLossesWithoutAScorePerClass) {
  EXPECT_NO_THROW(require_calibrated(loss_kind("hinge")));
  EXPECT_NO_THROW(require_calibrated(loss_kind("logistic")));
  EXPECT_THROW(require_calibrated(loss_kind("softmax")), Error);
  EXPECT_THROW(require_calibrated(loss_kind("squared")), Error);
}

}  // namespace calibrate_test
}  // namespace seesaw
