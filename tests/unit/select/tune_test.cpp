// Cross-validation against fits of its own on the rows of each fold, and early elimination against the whole search.
#include "select/tune.h"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include "data/select_rows.h"
#include "seesaw/error.h"
#include "select/tune_choice.h"
#include "select/tune_journal.h"
#include "solvers/catalog.h"
#include "support/problems.h"
#include "support/scratch_folder.h"
#include "support/threads.h"

namespace seesaw {
namespace tune_test {

TuneRequest request_of(const char* loss, std::vector<double> values, std::vector<std::string> metrics = {}) {
  TuneRequest request;
  request.fit.solver.name = default_solver;
  request.groups = {{.loss = loss, .regularizer = "l2"}};
  request.values = std::move(values);
  request.metrics = std::move(metrics);
  return request;
}

Dataset data_for(const std::string& loss, std::size_t n, std::size_t d, std::uint64_t seed, std::size_t classes = 2) {
  if (classes > 2) return test::random_classes(n, d, classes, seed);
  return test::random_data(n, d, loss_kind(loss).target, seed);
}

Folds folds_for(const Dataset& data, const std::string& loss, std::size_t count, std::uint64_t seed) {
  return loss_kind(loss).target == Target::number ? shuffled_folds(data.n(), count, seed)
                                                  : stratified_folds(data.labels, count, seed);
}

struct Case {
  const char* loss;
  std::size_t classes;
  const char* metric;
  const char* penalty;
  bool weighted;
};
class Tune : public testing::TestWithParam<Case> {};

TEST_P(Tune, MeasuresModelsOfTheOtherFolds) {
  const Case c = GetParam();
  Dataset data = data_for(c.loss, 60, 4, 3, c.classes);
  if (c.weighted) {
    std::vector<double> weights;
    Rng rng(5);
    for (std::size_t i = 0; i < data.n(); ++i) weights.push_back(0.5 + rng.uniform());
    data = with_row_weights(std::move(data), weights);
  }
  TuneRequest request = request_of(c.loss, {0.03, 0.5, 4}, {c.metric});
  request.fit.criteria.gap = 1e-10;
  request.fit.scaling = Scaling::columns_std;
  request.groups[0].regularizer = c.penalty;
  if (c.penalty == std::string("elastic-net")) request.groups[0].mix = 0.3;
  const Folds folds = folds_for(data, c.loss, 3, 2);
  const TuneResult result = tune(data, folds, request);
  ASSERT_EQ(result.candidates.size(), 3U);
  for (const CandidateResult& one : result.candidates) {
    if (one.eliminated) continue;
    std::vector<double> values;
    for (std::size_t f = 0; f < 3; ++f) {
      const Dataset training = select_rows(data, folds.training(f)), rest = select_rows(data, folds.validation(f));
      double weight = static_cast<double>(training.n());
      if (!training.weights.empty()) {
        weight = 0;
        for (const double w : training.weights) weight += w;
      }
      FitSpec spec = request.fit;
      spec.objective.loss = c.loss;
      spec.objective.regularizer = c.penalty;
      const double t = 1 / (*one.candidate.value * weight);
      if (c.penalty != std::string("l1")) spec.objective.lambda = t;
      if (c.penalty == std::string("l1")) spec.objective.l1 = t;
      if (c.penalty == std::string("elastic-net")) spec.objective.l1 = 0.3 / 0.7 * t;
      const LinearModel model = fit(training, spec).model;
      const std::vector<double> scores = decision_values(model, rest);
      values.push_back(evaluate(metric_named(c.metric), {model, scores, rest.labels, rest.weights}));
      EXPECT_NEAR(one.folds[f].values[0], values[f], 1e-3 * (1 + std::abs(values[f]))) << *one.candidate.value;
    }
    const double mean = (values[0] + values[1] + values[2]) / 3;
    double square = 0;
    for (const double value : values) square += (value - mean) * (value - mean);
    EXPECT_NEAR(one.mean[0], mean, 1e-3 * (1 + std::abs(mean)));
    EXPECT_NEAR(one.error[0], std::sqrt(square / 2 / 3), 1e-3);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Kinds, Tune,
    testing::Values(Case{"logistic", 2, "log-loss", "l2", false}, Case{"logistic", 2, "auc", "l1", true},
                    Case{"squared-hinge", 2, "accuracy", "l2", true}, Case{"logistic", 4, "log-loss", "l2", false},
                    Case{"softmax", 3, "brier", "l2", true}, Case{"squared", 2, "rmse", "elastic-net", true},
                    Case{"huber", 2, "mae", "l2", false}));

bool same(const TuneResult& a, const TuneResult& b) {
  if (a.best != b.best || a.one_se != b.one_se || a.candidates.size() != b.candidates.size()) return false;
  for (std::size_t c = 0; c < a.candidates.size(); ++c) {
    if (a.candidates[c].mean != b.candidates[c].mean || a.candidates[c].error != b.candidates[c].error) return false;
    for (std::size_t f = 0; f < a.candidates[c].folds.size(); ++f)
      if (a.candidates[c].folds[f].values != b.candidates[c].folds[f].values ||
          a.candidates[c].folds[f].passes != b.candidates[c].folds[f].passes)
        return false;
  }
  return true;
}

TEST(TuneThreads, DoNotChangeABit) {
  const Dataset data = data_for("logistic", 300, 6, 8);
  const Folds folds = stratified_folds(data.labels, 4, 1);
  for (const bool given : {false, true}) {
    TuneRequest request = request_of("logistic", {}, {"accuracy", "log-loss"});
    if (given) request.values = {0.01, 0.1, 1, 10};
    request.groups.push_back({.loss = "logistic", .regularizer = "l1"});
    std::vector<TuneResult> results;
    for (const std::size_t threads : {1, 3})
      results.push_back(test::in_threads(threads, [&] { return tune(data, folds, request); }));
    EXPECT_TRUE(same(results[0], results[1]));
  }
}

// The whole search and the one with elimination agree on the choice and on every bit that both computed; what was
// eliminated lies within the bounds that eliminated it.
TEST(TuneElimination, ChoosesAsTheWholeSearch) {
  std::size_t stopped = 0;
  const std::vector<std::pair<const char*, const char*>> kinds = {
      {"hinge", "accuracy"},   {"logistic", "accuracy"},    {"squared-hinge", "balanced-accuracy"},
      {"squared", "rmse"},     {"absolute", "mae"},         {"huber", "r2"},
      {"quantile", "pinball"}, {"smooth-hinge", "accuracy"}};
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    const auto& [loss, metric] = kinds[seed % kinds.size()];
    const std::size_t classes = seed % 5 == 0 && loss_kind(loss).target == Target::sign ? 3 : 2;
    const Dataset data = data_for(loss, 60 + 10 * (seed % 7), 3 + seed % 4, seed, classes);
    TuneRequest request = request_of(loss, {1e-4, 1e-3, 1e-2, 0.1, 1}, {metric});
    if (seed % 3 == 0) request.groups.push_back({.loss = loss, .regularizer = "elastic-net", .mix = 0.2});
    request.fit.criteria.gap = seed % 2 == 0 ? 1e-8 : 1e-6;
    request.fit.objective.intercept = seed % 4 == 1 ? Intercept::none : Intercept::free;
    request.fit.solver.name = "sdca";  // fits of many passes: those of newton and ssn run straight to their end
    const Folds folds = folds_for(data, loss, 3, seed);
    const TuneResult fast = tune(data, folds, request);
    request.eliminate = false;
    const TuneResult whole = tune(data, folds, request);
    EXPECT_EQ(whole.work.stopped, 0U);
    EXPECT_EQ(fast.chosen, whole.chosen) << loss << " " << seed;
    stopped += fast.work.stopped;
    for (std::size_t c = 0; c < whole.candidates.size(); ++c) {
      const CandidateResult &a = fast.candidates[c], &b = whole.candidates[c];
      if (a.eliminated) {
        EXPECT_LE(a.bounds.lo, b.mean[0]) << loss << " " << seed;
        EXPECT_GE(a.bounds.hi, b.mean[0]) << loss << " " << seed;
      } else {
        EXPECT_EQ(a.mean, b.mean) << loss << " " << seed;
      }
    }
  }
  EXPECT_GT(stopped, 20U);  // otherwise nothing was tested
}

TEST(TuneSearch, DoublesUntilTheCurveTurns) {
  const Dataset data = data_for("logistic", 400, 8, 21);
  const TuneResult result = tune(data, stratified_folds(data.labels, 5, 1), request_of("logistic", {}, {"log-loss"}));
  ASSERT_GE(result.candidates.size(), 7U);
  for (std::size_t c = 1; c < result.candidates.size(); ++c)
    EXPECT_EQ(*result.candidates[c].candidate.value, 2 * *result.candidates[c - 1].candidate.value);
  EXPECT_GE(result.best, 3U);
  EXPECT_LT(result.best + 3, result.candidates.size());
}

TEST(TuneSearch, OfL1BeginsAtZeroWeights) {
  const Dataset data = data_for("squared", 200, 8, 4);
  TuneRequest request = request_of("squared", {}, {"rmse"});
  request.groups[0].regularizer = "l1";
  const TuneResult result = tune(data, shuffled_folds(data.n(), 5, 1), request);
  EXPECT_LE(result.candidates[0].folds[0].nonzeros, 1U);
  EXPECT_GT(result.candidates[result.best].folds[0].nonzeros, 1U);
}

TEST(TuneChoice, TakesTheStrongestPenaltyWithinOneStandardError) {
  const TuneRequest request = request_of("logistic", {1, 2, 3, 4});
  TuneResult result;
  result.metrics = {&metric_named("accuracy")};
  const std::vector<std::vector<double>> values = {{0.5, 0.5}, {0.7, 0.7}, {0.75, 0.85}, {0.8, 0.8}};
  for (std::size_t c = 0; c < values.size(); ++c) {
    CandidateResult one;
    one.candidate = {0, static_cast<double>(c + 1)};
    for (const double value : values[c]) one.folds.push_back({{value}, "converged"});
    result.candidates.push_back(one);
  }
  order_and_choose(result, request);
  EXPECT_EQ(result.best, 2U);  // the first of two equal means: the stronger penalty
  EXPECT_EQ(result.one_se, 2U);
  EXPECT_DOUBLE_EQ(result.candidates[2].error[0], 0.05);
  for (CandidateResult& one : result.candidates) one.mean.clear(), one.error.clear();
  result.candidates[1].folds[0].values = {0.81};  // mean 0.755, within 0.05 of 0.8
  TuneRequest careful = request;
  careful.choose = Choice::one_se;
  order_and_choose(result, careful);
  EXPECT_EQ(result.best, 2U);
  EXPECT_EQ(result.chosen, 1U);
}

TEST(TuneJournalFile, ResumesWithTheSameResult) {
  const test::ScratchFolder folder;
  const Dataset data = data_for("logistic", 120, 5, 6);
  const Folds folds = stratified_folds(data.labels, 3, 1);
  const TuneRequest request = request_of("logistic", {0.1, 1, 10}, {"log-loss"});
  const std::string path = folder.path("tune.jsonl");
  const TuneResult once = [&] {
    TuneJournal journal(path);
    return tune(data, folds, request, nullptr, &journal);
  }();
  const std::string text = folder.text_of("tune.jsonl");
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 3);
  std::ofstream(path, std::ios::binary) << text.substr(0, text.size() - 40);  // killed while writing the last line
  const TuneResult again = [&] {
    TuneJournal journal(path);
    return tune(data, folds, request, nullptr, &journal);
  }();
  EXPECT_TRUE(same(once, again));
  EXPECT_EQ(folder.text_of("tune.jsonl").size(), text.size());
  TuneRequest other = request;  // another tolerance: other fits
  other.fit.criteria.gap = 1e-6;
  TuneJournal journal(path);
  EXPECT_FALSE(same(once, tune(data, folds, other, nullptr, &journal)));
}

// Accuracy, which has bounds, by a method that follows all values and by one whose fits stop for bounds; and a search.
TEST(TuneJournalFile, ResumesWithBoundsAndInSearches) {
  const test::ScratchFolder folder;
  const Dataset data = data_for("logistic", 120, 5, 6);
  const Folds folds = stratified_folds(data.labels, 3, 1);
  for (const char* const solver : {"auto", "sdca", "search"}) {
    const bool search = std::string_view(solver) == "search";
    TuneRequest request = request_of("logistic", {1e-3, 0.01, 0.1, 1, 10}, {"accuracy"});
    if (search) request.values.clear();
    request.fit.solver.name = search ? "auto" : solver;
    request.fit.criteria.gap = 1e-7;
    const std::string name = std::string(solver) + ".jsonl", path = folder.path(name);
    const TuneResult once = [&] {
      TuneJournal journal(path);
      return tune(data, folds, request, nullptr, &journal);
    }();
    const std::string text = folder.text_of(name);
    const auto lines = std::count(text.begin(), text.end(), '\n');
    ASSERT_GE(lines, 3) << solver;
    std::size_t end = 0;  // after half of the lines
    for (auto k = lines / 2; k > 0; --k) end = text.find('\n', end) + 1;
    std::ofstream(path, std::ios::binary) << text.substr(0, end);
    for (int run = 0; run < 2; ++run) {  // the second one has all results
      TuneJournal journal(path);
      EXPECT_TRUE(same(once, tune(data, folds, request, nullptr, &journal))) << solver;
    }
    EXPECT_EQ(folder.text_of(name).size(), text.size()) << solver;
  }
}

TEST(TuneJournalFile, RefusesOtherFiles) {
  const test::ScratchFolder folder;
  EXPECT_THROW(TuneJournal(folder.file("data", "1 1:2\n-1 1:3\n")), Error);
  EXPECT_THROW(TuneJournal(folder.file("other", "{\"type\":\"header\"}\n{\"type\":\"end\"}\n")), Error);
}

TEST(TuneRequests, RefuseWhatCannotBeSearched) {
  const Dataset data = data_for("logistic", 40, 3, 1);
  const Folds folds = stratified_folds(data.labels, 4, 1);
  const auto refused = [&](const TuneRequest& request) { EXPECT_THROW(tune(data, folds, request), Error); };
  refused(request_of("logistic", {1, -1}));
  refused(request_of("logistic", {1, 2}, {"rmse"}));
  refused(request_of("hinge", {1, 2}, {"log-loss"}));
  TuneRequest request = request_of("logistic", {1, 2});
  request.groups.push_back({.loss = "squared", .regularizer = "l2"});
  refused(request);
  request = request_of("logistic", {1, 2});
  request.coefficient = SearchedCoefficient::l1;
  refused(request);
  request = request_of("logistic", {1, 2});
  request.groups[0].mix = 0.5;
  refused(request);
}

TEST(TuneRequests, RefuseALabelThatOneFoldHasAlone) {
  Dataset data = data_for("logistic", 40, 3, 1, 3);
  data.labels[7] = 99;
  const Folds folds = stratified_folds(data.labels, 4, 1);
  EXPECT_THROW(tune(data, folds, request_of("logistic", {1, 2})), Error);
}

TEST(OutOfFoldScores, AreThoseOfModelsThatWereNotTrainedOnTheRow) {
  const Dataset data = data_for("squared-hinge", 60, 4, 9);
  const Folds folds = stratified_folds(data.labels, 3, 1);
  TuneRequest request = request_of("squared-hinge", {0.5, 2});
  const std::vector<double> scores = out_of_fold_scores(data, folds, request, {0, 0.5});
  for (std::size_t f = 0; f < 3; ++f) {
    FitSpec spec = request.fit;
    spec.objective.loss = "squared-hinge";
    spec.objective.C = 0.5;
    const LinearModel model = fit(select_rows(data, folds.training(f)), spec).model;
    const std::vector<double> expected = decision_values(model, data);
    for (const std::uint32_t i : folds.validation(f)) EXPECT_NEAR(scores[i], expected[i], 1e-12);
  }
}

}  // namespace tune_test
}  // namespace seesaw
