// The single-entry engine against an eager version in long double with the same draws, iterate by iterate.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/eager_single_entry.h"
#include "support/problems.h"

namespace seesaw {
namespace single_entry_test {

using test::Storage;

// Row 7 and column 5 are empty.
Dataset sparse_data(Target target, Storage storage) {
  Rng rng(11);
  test::Matrix matrix(40, std::vector<double>(15));
  for (std::size_t i = 0; i < matrix.size(); ++i)
    for (std::size_t j = 0; j < matrix[i].size(); ++j)
      if (i != 7 && j != 5 && rng.uniform() < 0.3) matrix[i][j] = std::round(64 * rng.normal()) / 64;
  Dataset data = test::table(matrix, storage);
  data.labels = test::random_labels(matrix, target, 11);
  data.source = "random";
  return data;
}

struct Case {
  const LossKind* kind;
  EntrySampling sampling = EntrySampling::nonzeros;
  double lambda = 1e-2, l1 = 0;
  Intercept intercept = Intercept::none;
  Storage storage = Storage::sparse;
  bool weighted = true;  // and with a warm start
  double epoch_length = 0.7;
  double ramp = 0, kappa = 0.5;
  bool pools = false, variance_reduction = true;
};

Problem problem_of(const Case& c, const Dataset& data) {
  Objective objective;
  objective.loss = c.kind->name;
  objective.lambda = c.lambda;
  objective.l1 = c.l1;
  objective.intercept = c.intercept;
  return make_problem(data, objective);
}

// A point with distinct values in all rows: with equal ones, rounding would decide the cells of the alias table.
Start random_start(const Problem& problem) {
  Rng rng(8);
  Start start{.y = std::vector<double>(problem.n()), .x = std::vector<double>(problem.d()), .intercept = {0.3}};
  for (double& y : start.y) y = rng.normal();
  for (double& x : start.x) x = 0.1 * rng.normal();
  return start;
}

// The largest distance over the epochs of x, y and b of the two, relative to the size of x.
double distance(const Case& c, int epochs) {
  Dataset data = sparse_data(c.kind->target, c.storage);
  if (c.weighted)
    for (std::size_t i = 0; i < data.n(); ++i) data.weights.push_back(0.5 + double(i % 3));
  const Problem problem = problem_of(c, data);
  const SingleEntrySpec spec{.sampling = c.sampling,
                             .step = 1.3,
                             .epoch_length = c.epoch_length,
                             .delta = 0.6,
                             .delta_start = 0.1,
                             .ramp = c.ramp,
                             .kappa = c.kappa,
                             .pools = c.pools,
                             .variance_reduction = c.variance_reduction,
                             .seed = 4};
  const Start start = c.weighted ? random_start(problem) : Start{};
  const auto solver = make_single_entry(problem, spec, start);
  test::EagerSingleEntry eager(problem, spec, start);
  double worst = 0, moved = 0;
  Point point;
  for (int epoch = 0; epoch < epochs; ++epoch) {
    solver->epoch();
    eager.epoch();
    solver->read(point);
    double size = 1;
    for (const auto x : eager.x()) size = std::max(size, static_cast<double>(std::abs(x)));
    for (std::size_t j = 0; j < point.x.size(); ++j) {
      worst = std::max(worst, std::abs(point.x[j] - static_cast<double>(eager.x()[j])) / size);
      moved = std::max(moved, std::abs(point.x[j]));
      if (c.l1 > 0 && eager.x()[j] == 0 && point.x[j] != 0) return infinity;  // zeros are zeros
    }
    for (std::size_t i = 0; i < point.y.size(); ++i)
      worst = std::max(worst, std::abs(point.y[i] - static_cast<double>(eager.y()[i])) / size);
    worst = std::max(worst, std::abs(point.intercept[0] - eager.intercept()) / size);
  }
  return moved > 1e-3 ? worst : infinity;
}

constexpr EntrySampling all_samplings[] = {EntrySampling::nonzeros, EntrySampling::norms, EntrySampling::uniform,
                                           EntrySampling::adaptive};

TEST(SingleEntry, is_the_eager_one_for_every_loss_and_sampling) {
  for (const LossKind& kind : loss_kinds())
    for (const double l1 : {0.0, 5e-3})
      for (const double lambda : {1e-1, 1e-3})
        for (const EntrySampling sampling : all_samplings)
          EXPECT_LE(distance({.kind = &kind, .sampling = sampling, .lambda = lambda, .l1 = l1}, 20), 1e-11)
              << kind.name << " lambda " << lambda << " l1 " << l1 << " sampling " << int(sampling);
}

TEST(SingleEntry, is_the_eager_one_in_every_storage_with_weights_and_intercepts) {
  for (const char* loss : {"smooth-hinge", "logistic", "squared", "absolute"})
    for (const double l1 : {0.0, 5e-3})
      for (const Storage storage : test::all_storages)
        for (const Intercept intercept : {Intercept::none, Intercept::free})
          for (const EntrySampling sampling : all_samplings)
            for (const bool weighted : {false, true}) {
              const bool dense = storage == Storage::dense || storage == Storage::dense_float;
              if (dense && sampling == EntrySampling::nonzeros) continue;
              if (!weighted && sampling == EntrySampling::adaptive) continue;  // which needs a starting point
              EXPECT_LE(distance({.kind = &loss_kind(loss),
                                  .sampling = sampling,
                                  .l1 = l1,
                                  .intercept = intercept,
                                  .storage = storage,
                                  .weighted = weighted},
                                 12),
                        1e-11)
                  << loss << " l1 " << l1 << " storage " << int(storage) << " intercept " << int(intercept)
                  << " sampling " << int(sampling) << " weighted " << weighted;
            }
}

// Periods that are not a multiple of the block of draws, shorter and longer than one block.
TEST(SingleEntry, is_the_eager_one_for_any_period_length) {
  for (const double length : {1e-9, 0.1, 0.25, 1.0, 3.3})
    EXPECT_LE(distance({.kind = &loss_kind("squared"), .epoch_length = length}, length < 0.1 ? 200 : 20), 1e-11)
        << length;
}

TEST(SingleEntry, is_the_eager_one_with_a_ramp_other_exponents_pools_and_without_variance_reduction) {
  for (const char* loss : {"squared", "logistic", "hinge"})
    for (const Intercept intercept : {Intercept::none, Intercept::free})
      for (const EntrySampling sampling : {EntrySampling::norms, EntrySampling::uniform, EntrySampling::adaptive}) {
        const Case plain{.kind = &loss_kind(loss), .sampling = sampling, .l1 = 5e-3, .intercept = intercept};
        const auto expect = [&](const Case& c, const char* what) {
          EXPECT_LE(distance(c, 20), 1e-11)
              << loss << " intercept " << int(intercept) << " sampling " << int(sampling) << " " << what;
        };
        Case c = plain;
        c.ramp = 13;
        expect(c, "ramp");
        c = plain;
        c.pools = true;
        expect(c, "pools");
        c = plain;
        c.kappa = 0.3;
        expect(c, "kappa");
        if (sampling == EntrySampling::adaptive) continue;
        c = plain;
        c.variance_reduction = false;
        expect(c, "without variance reduction");
      }
}

// Pairs are drawn independently of the storage, so that sparse and dense data give the same points.
TEST(SingleEntry, gives_the_same_points_for_sparse_and_dense_data) {
  for (const Intercept intercept : {Intercept::none, Intercept::free}) {
    std::vector<Point> points;
    for (const Storage storage : test::all_storages) {
      const Case c{.kind = &loss_kind("logistic"), .intercept = intercept, .storage = storage};
      const Dataset data = sparse_data(c.kind->target, storage);
      const Problem problem = problem_of(c, data);
      // The same number of steps per period: epoch_length is in stored entries, which differ.
      const double stored = std::visit([](const auto& rows) { return static_cast<double>(rows.entries()); }, data.rows);
      const auto solver =
          make_single_entry(problem, {.sampling = EntrySampling::norms, .epoch_length = 500 / stored, .seed = 2}, {});
      for (int epoch = 0; epoch < 10; ++epoch) solver->epoch();
      solver->read(points.emplace_back());
    }
    for (const Point& other : points)
      for (std::size_t j = 0; j < other.x.size(); ++j) EXPECT_NEAR(other.x[j], points[0].x[j], 1e-12);
  }
}

}  // namespace single_entry_test
}  // namespace seesaw
