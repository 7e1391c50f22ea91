// Metrics against their definitions, written out as double loops over rows, thresholds and classes.
#include "select/metrics.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "base/rng.h"
#include "seesaw/error.h"

namespace seesaw {
namespace metrics_test {

struct Sample {
  LinearModel model;
  std::vector<double> scores, labels, weights;
  Predictions predictions(double quantile = 0.5) const { return {model, scores, labels, weights, quantile}; }
  double w(std::size_t i) const { return weights.empty() ? 1 : weights[i]; }
};

// Scores are multiples of 1/4, so that there are ties; those of softmax are not: ties of probabilities are rounding.
Sample sample(const char* loss, std::size_t classes, bool weighted, std::uint64_t seed) {
  Sample s;
  Rng rng(seed);
  s.model.objective.loss = loss;
  const std::size_t outputs = classes == 0 || (classes == 2 && !s.model.joint()) ? 1 : classes;
  s.model.intercept.assign(outputs, 0.0);
  for (std::size_t k = 0; k < classes; ++k) s.model.labels.push_back(10 * static_cast<double>(k) - 3);
  for (std::size_t i = 0; i < 60; ++i) {
    for (std::size_t k = 0; k < outputs; ++k)
      s.scores.push_back(s.model.joint() ? rng.normal() : std::round(4 * rng.normal()) / 4);
    s.labels.push_back(classes == 0 ? rng.normal() : s.model.labels[rng.below(static_cast<std::uint32_t>(classes))]);
    if (weighted) s.weights.push_back(0.5 + rng.uniform());
  }
  return s;
}

double value(const char* name, const Sample& s, double quantile = 0.5) {
  return evaluate(metric_named(name), s.predictions(quantile));
}

// The probability of each class by its definition, with the C library.
std::vector<double> chances(const Sample& s, std::size_t i) {
  const std::size_t K = s.model.outputs();
  const double* z = &s.scores[i * K];
  if (K == 1) return {1 / (1 + std::exp(z[0])), 1 / (1 + std::exp(-z[0]))};
  std::vector<double> p;
  double sum = 0;
  for (std::size_t k = 0; k < K; ++k) {
    p.push_back(s.model.joint() ? std::exp(z[k]) : 1 / (1 + std::exp(-z[k])));
    sum += p.back();
  }
  for (double& pk : p) pk /= sum;
  return p;
}

double guess(const Sample& s, std::size_t i) {
  const std::size_t K = s.model.outputs();
  if (K == 1) return s.scores[i] > 0 ? s.model.labels[1] : s.model.labels[0];
  std::size_t best = 0;
  for (std::size_t k = 1; k < K; ++k)
    if (s.scores[i * K + k] > s.scores[i * K + best]) best = k;
  return s.model.labels[best];
}

// Each class against the others: {auc, average precision, f1}.
struct OfClass {
  double auc, precision, f1;
};
OfClass slow(const Sample& s, std::size_t k) {
  const std::size_t n = s.labels.size(), K = s.model.outputs();
  const auto score = [&](std::size_t i) {
    if (K == 1) return s.scores[i];
    return s.model.joint() ? chances(s, i)[k] : s.scores[i * K + k];
  };
  const auto positive = [&](std::size_t i) { return s.labels[i] == s.model.labels[k]; };
  double right = 0, pairs = 0, both = 0, either = 0;
  std::set<double, std::greater<>> thresholds;
  for (std::size_t i = 0; i < n; ++i) {
    thresholds.insert(score(i));
    both += positive(i) && guess(s, i) == s.model.labels[k] ? s.w(i) : 0;
    either += (positive(i) ? s.w(i) : 0) + (guess(s, i) == s.model.labels[k] ? s.w(i) : 0);
    for (std::size_t j = 0; j < n; ++j) {
      if (!positive(i) || positive(j)) continue;
      pairs += s.w(i) * s.w(j);
      right += s.w(i) * s.w(j) * (score(i) > score(j) ? 1 : score(i) == score(j) ? 0.5 : 0);
    }
  }
  double precision = 0, recall = 0;
  for (const double t : thresholds) {
    double found = 0, taken = 0, all = 0;
    for (std::size_t i = 0; i < n; ++i) {
      all += positive(i) ? s.w(i) : 0;
      if (score(i) < t) continue;
      taken += s.w(i);
      found += positive(i) ? s.w(i) : 0;
    }
    precision += (found / all - recall) * found / taken;
    recall = found / all;
  }
  return {right / pairs, precision, 2 * both / either};
}

struct Case {
  const char* loss;
  std::size_t classes;
  bool weighted;
};
class OfLabels : public testing::TestWithParam<Case> {};

TEST_P(OfLabels, AgreeWithTheirDefinitions) {
  const Case c = GetParam();
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const Sample s = sample(c.loss, c.classes, c.weighted, seed);
    const std::size_t n = s.labels.size();
    double total = 0, right = 0, log_loss = 0, brier = 0;
    std::vector<double> rows(c.classes), hits(c.classes);
    const bool likelihood = c.loss != std::string("hinge") && c.loss != std::string("multiclass-hinge");
    for (std::size_t i = 0; i < n; ++i) {
      total += s.w(i);
      right += guess(s, i) == s.labels[i] ? s.w(i) : 0;
      for (std::size_t k = 0; k < c.classes; ++k)
        if (s.labels[i] == s.model.labels[k]) {
          rows[k] += s.w(i);
          hits[k] += guess(s, i) == s.labels[i] ? s.w(i) : 0;
          if (likelihood) log_loss -= s.w(i) * std::log(chances(s, i)[k]);
        }
      if (!likelihood) continue;
      if (c.classes == 2) {
        const double error = chances(s, i)[1] - (s.labels[i] == s.model.labels[1] ? 1 : 0);
        brier += s.w(i) * error * error;
      } else {
        for (std::size_t k = 0; k < c.classes; ++k)
          brier += s.w(i) * std::pow(chances(s, i)[k] - (s.labels[i] == s.model.labels[k] ? 1 : 0), 2);
      }
    }
    double recall = 0;
    for (std::size_t k = 0; k < c.classes; ++k) recall += hits[k] / rows[k] / static_cast<double>(c.classes);
    EXPECT_NEAR(value("accuracy", s), right / total, 1e-13);
    EXPECT_NEAR(value("balanced-accuracy", s), recall, 1e-13);
    if (likelihood) {
      EXPECT_NEAR(value("log-loss", s), log_loss / total, 1e-12);
      EXPECT_NEAR(value("deviance", s), 2 * log_loss / total, 1e-12);
      EXPECT_NEAR(value("brier", s), brier / total, 1e-13);
    }
    if (c.loss == std::string("multiclass-hinge")) continue;  // ranked by margins: below
    OfClass expected{0, 0, 0};
    if (c.classes == 2) expected = slow(s, 1);
    else
      for (std::size_t k = 0; k < c.classes; ++k) {
        const OfClass one = slow(s, k);
        expected.auc += one.auc / static_cast<double>(c.classes);
        expected.precision += one.precision / static_cast<double>(c.classes);
        expected.f1 += one.f1 / static_cast<double>(c.classes);
      }
    EXPECT_NEAR(value("auc", s), expected.auc, 1e-13);
    EXPECT_NEAR(value("average-precision", s), expected.precision, 1e-13);
    EXPECT_NEAR(value("f1", s), expected.f1, 1e-13);
  }
}

INSTANTIATE_TEST_SUITE_P(Metrics, OfLabels,
                         testing::Values(Case{"hinge", 2, false}, Case{"hinge", 2, true}, Case{"logistic", 2, false},
                                         Case{"logistic", 2, true}, Case{"logistic", 4, true},
                                         Case{"softmax", 3, false}, Case{"softmax", 3, true}, Case{"softmax", 2, true},
                                         Case{"multiclass-hinge", 3, true}));

TEST(Metrics, OfNumbersAgreeWithTheirDefinitions) {
  for (const bool weighted : {false, true}) {
    const Sample s = sample("squared", 0, weighted, 3);
    double total = 0, centre = 0, squares = 0, absolute = 0, pinball = 0, spread = 0;
    for (std::size_t i = 0; i < s.labels.size(); ++i) {
      const double error = s.labels[i] - s.scores[i];
      total += s.w(i);
      centre += s.w(i) * s.labels[i];
      squares += s.w(i) * error * error;
      absolute += s.w(i) * std::abs(error);
      pinball += s.w(i) * std::max(0.2 * error, -0.8 * error);
    }
    for (std::size_t i = 0; i < s.labels.size(); ++i) spread += s.w(i) * std::pow(s.labels[i] - centre / total, 2);
    EXPECT_NEAR(value("mae", s), absolute / total, 1e-14);
    EXPECT_NEAR(value("rmse", s), std::sqrt(squares / total), 1e-14);
    EXPECT_NEAR(value("deviance", s), squares / total, 1e-14);
    EXPECT_NEAR(value("pinball", s, 0.2), pinball / total, 1e-14);
    EXPECT_NEAR(value("r2", s), 1 - squares / spread, 1e-13);
  }
}

// Closed forms: a perfect order, a reversed one, and four rows by hand (scikit-learn's example of average precision).
TEST(Metrics, ClosedForms) {
  Sample s;
  s.model.objective.loss = "hinge";
  s.model.labels = {0, 1};
  s.labels = {0, 0, 1, 1};
  s.scores = {0.1, 0.4, 0.35, 0.8};
  EXPECT_DOUBLE_EQ(value("auc", s), 0.75);
  EXPECT_DOUBLE_EQ(value("average-precision", s), 0.5 * 1 + 0.5 * 2 / 3.0);
  s.scores = {1, 2, 3, 4};
  EXPECT_DOUBLE_EQ(value("auc", s), 1);
  s.scores = {4, 3, 2, 1};
  EXPECT_DOUBLE_EQ(value("auc", s), 0);
  s.scores = {5, 5, 5, 5};
  EXPECT_DOUBLE_EQ(value("auc", s), 0.5);
  EXPECT_DOUBLE_EQ(value("average-precision", s), 0.5);
}

TEST(Metrics, RefuseWhatIsNotDefined) {
  EXPECT_THROW(metric_named("acuracy"), InvalidOption);
  EXPECT_THROW(require_defined(metric_named("log-loss"), loss_kind("hinge")), Error);
  EXPECT_THROW(require_defined(metric_named("rmse"), loss_kind("hinge")), Error);
  EXPECT_THROW(require_defined(metric_named("auc"), loss_kind("squared")), Error);
  EXPECT_THROW(require_defined(metric_named("deviance"), loss_kind("absolute")), Error);
  EXPECT_NO_THROW(require_defined(metric_named("deviance"), loss_kind("squared")));
  Sample s = sample("hinge", 2, false, 1);
  s.labels.assign(s.labels.size(), s.model.labels[0]);
  EXPECT_THROW(value("auc", s), Error);
}

}  // namespace metrics_test
}  // namespace seesaw
