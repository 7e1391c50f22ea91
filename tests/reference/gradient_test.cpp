// The primal gradient engines with their deferred coordinates against eager versions in long double, iterate by iterate,
// and identities between them.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "run/fit.h"
#include "solvers/engines/gradient_snapshot.h"
#include "solvers/engines/gradient_table.h"
#include "support/eager_gradient.h"
#include "support/problems.h"
#include "support/specs.h"

namespace seesaw {
namespace gradient_test {

using test::GradientMethod;
using test::Storage;

constexpr GradientMethod all_methods[] = {GradientMethod::sag, GradientMethod::saga, GradientMethod::svrg,
                                          GradientMethod::katyusha};

// n rows of d features, one entry in seven; row 7 is empty.
Dataset sparse_data(Target target, Storage storage, std::size_t n = 50, std::size_t d = 40) {
  Rng rng(11);
  test::Matrix matrix(n, std::vector<double>(d));
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < d; ++j)
      if (i != 7 && rng.uniform() < 0.15) matrix[i][j] = static_cast<float>(rng.normal());
  Dataset data = test::table(matrix, storage);
  data.labels = test::random_labels(matrix, target, 11);
  data.source = "random";
  return data;
}

Objective objective_of(const LossKind& kind, double lambda, double l1, Intercept intercept) {
  Objective objective;
  objective.loss = kind.name;
  objective.lambda = lambda;
  objective.l1 = l1;
  objective.intercept = intercept;
  return objective;
}

std::unique_ptr<Solver> make(const Problem& problem, GradientMethod method, double step, Draw draw) {
  if (method == GradientMethod::sag || method == GradientMethod::saga)
    return make_gradient_table(
        problem,
        {.direction = method == GradientMethod::sag ? Direction::sag : Direction::saga, .step = step, .draw = draw},
        {});
  return make_gradient_snapshot(
      problem,
      {.momentum = method == GradientMethod::svrg ? Momentum::none : Momentum::katyusha, .step = step, .draw = draw},
      {});
}

struct Case {
  const LossKind* kind;
  GradientMethod method;
  double lambda, l1;
  Intercept intercept = Intercept::none;
  Storage storage = Storage::sparse;
  bool weighted = false;
  Draw draw = Draw::iid;
};

// The largest distance over the epochs of x, y and b of the two, relative to the size of x.
double distance(const Case& c, int epochs, Dataset data) {
  if (c.weighted)
    for (std::size_t i = 0; i < data.n(); ++i) data.weights.push_back(0.5 + double(i % 3));
  const Problem problem = make_problem(data, objective_of(*c.kind, c.lambda, c.l1, c.intercept));
  const double step = c.method == GradientMethod::sag ? 0.5 : 1.0 / 3;
  const auto solver = make(problem, c.method, step, c.draw);
  test::EagerGradient eager(problem, c.method, step, c.draw, 1);
  double worst = 0, smallest_size = c.lambda > 1 ? 0 : 1;  // x itself is of the order of 1/lambda
  Point point;
  for (int epoch = 0; epoch < epochs; ++epoch) {
    solver->epoch();
    eager.epoch();
    if (epoch % 3 == 1) continue;  // a read between two epochs changes nothing
    solver->read(point);
    const std::vector<double> x = eager.x(), y = eager.y();
    double size = smallest_size;
    for (double xj : x) size = std::max(size, std::abs(xj));
    for (std::size_t j = 0; j < x.size(); ++j) {
      worst = std::max(worst, std::abs(point.x[j] - x[j]) / size);
      if (c.l1 > 0 && x[j] == 0 && point.x[j] != 0) return infinity;  // zeros are zeros
    }
    for (std::size_t i = 0; i < y.size(); ++i)
      worst = std::max(worst, std::abs(point.y[i] - y[i]) / std::max(1.0, size));
    worst = std::max(worst, std::abs(point.intercept[0] - eager.intercept()) / size);
  }
  return worst;
}
double distance(const Case& c, int epochs) { return distance(c, epochs, sparse_data(c.kind->target, c.storage)); }

TEST(PrimalGradient, deferred_coordinates_are_the_eager_ones) {
  for (const LossKind& kind : loss_kinds())
    for (const GradientMethod method : all_methods)
      for (const double l1 : {0.0, 2e-4, 5e-3})
        for (const double lambda : {1e-2, 1e-4, 0.0}) {
          if (method == GradientMethod::katyusha && lambda == 0) continue;
          EXPECT_LE(distance({.kind = &kind, .method = method, .lambda = lambda, .l1 = l1}, 20), 1e-11)
              << kind.name << " method " << int(method) << " lambda " << lambda << " l1 " << l1;
        }
}

TEST(PrimalGradient, is_the_eager_one_in_every_storage_with_weights_intercepts_and_either_draw) {
  for (const char* loss : {"smooth-hinge", "logistic", "squared", "absolute"})
    for (const GradientMethod method : all_methods)
      for (const double l1 : {0.0, 2e-3})
        for (const Storage storage : test::all_storages)
          for (const Intercept intercept : {Intercept::none, Intercept::free})
            EXPECT_LE(distance({.kind = &loss_kind(loss),
                                .method = method,
                                .lambda = 1e-2,
                                .l1 = l1,
                                .intercept = intercept,
                                .storage = storage,
                                .weighted = true,
                                .draw = method == GradientMethod::sag ? Draw::iid : Draw::permutation},
                               12),
                      1e-11)
                << loss << " method " << int(method) << " l1 " << l1 << " storage " << int(storage) << " intercept "
                << int(intercept);
}

// Beyond pass 50, when s has been recomputed; with lambda so large that running products underflow within a pass; with so
// many rows that a column may be deferred for more steps than Katyusha's first table has.
TEST(PrimalGradient, stays_the_eager_one_over_many_passes_large_lambda_and_many_rows) {
  const LossKind& squared = loss_kind("squared");
  for (const GradientMethod method : all_methods)
    for (const double l1 : {0.0, 2e-3}) {
      EXPECT_LE(
          distance({.kind = &squared, .method = method, .lambda = 1e-3, .l1 = l1, .intercept = Intercept::free}, 60),
          1e-11)
          << int(method) << " l1 " << l1;
      EXPECT_LE(distance({.kind = &squared, .method = method, .lambda = 1e7, .l1 = l1}, 20), 1e-11)
          << int(method) << " l1 " << l1;
      Dataset data = sparse_data(Target::number, Storage::sparse, 1500, 10);
      test::Matrix matrix = test::matrix_of(data);
      for (std::size_t i = 0; i < matrix.size(); ++i)
        if (i % 1000 != 1) matrix[i][9] = 0;  // a column with few entries
      Dataset rare = test::table(matrix);
      rare.labels = data.labels;
      EXPECT_LE(distance({.kind = &squared, .method = method, .lambda = 1e-3, .l1 = l1}, 4, rare), 1e-11)
          << int(method) << " l1 " << l1;
    }
}

// With a single row every gradient is the full one: all methods except Katyusha are the proximal gradient method.
TEST(PrimalGradient, of_one_row_is_the_proximal_gradient_method) {
  Dataset data = test::table({{0.5, -2}});
  data.labels = {3};
  const double lambda = 0.1, l1 = 0.05, L = 4.25 + lambda;
  const Problem problem = make_problem(data, objective_of(loss_kind("squared"), lambda, l1, Intercept::none));
  for (const GradientMethod method : {GradientMethod::sag, GradientMethod::saga, GradientMethod::svrg}) {
    const auto solver = make(problem, method, 0.5, Draw::iid);
    std::vector<double> x(2);
    Point point;
    for (int epoch = 0; epoch < 10; ++epoch) {
      solver->epoch();
      for (int step = 0; step < (method == GradientMethod::svrg ? 2 : 1); ++step) {
        const double eta = 0.5 / L, y = 0.5 * x[0] - 2 * x[1] - 3;
        x = {soft_threshold(x[0] - eta * 0.5 * y, eta * l1) / (1 + eta * lambda),
             soft_threshold(x[1] + eta * 2 * y, eta * l1) / (1 + eta * lambda)};
      }
      solver->read(point);
      for (std::size_t j = 0; j < 2; ++j) EXPECT_NEAR(point.x[j], x[j], 1e-14) << int(method) << " epoch " << epoch;
    }
  }
}

// Katyusha's dense form with a negligible l1 equals its deferred form.
TEST(PrimalGradient, dense_and_deferred_katyusha_are_the_same) {
  const Dataset data = sparse_data(Target::sign, Storage::sparse, 700, 30);
  const Problem deferred = make_problem(data, objective_of(loss_kind("logistic"), 1e-3, 0, Intercept::free));
  const Problem dense = make_problem(data, objective_of(loss_kind("logistic"), 1e-3, 1e-18, Intercept::free));
  const auto a = make(deferred, GradientMethod::katyusha, 1.0 / 3, Draw::iid),
             b = make(dense, GradientMethod::katyusha, 1.0 / 3, Draw::iid);
  Point p, q;
  for (int epoch = 0; epoch < 20; ++epoch) {
    a->epoch();
    b->epoch();
    a->read(p);
    b->read(q);
    for (std::size_t j = 0; j < p.x.size(); ++j) ASSERT_NEAR(p.x[j], q.x[j], 1e-12) << epoch;
  }
}

// The entry of the free intercept scales with the rows: other units of the features (with lambda and l1 accordingly) give
// the same iterates in other units.
TEST(PrimalGradient, takes_the_same_passes_for_any_unit_of_the_features) {
  for (const char* method : {"sag", "saga", "svrg", "katyusha"})
    for (const char* loss : {"logistic", "huber", "hinge"}) {
      const LossKind& kind = loss_kind(loss);
      std::vector<double> passes;
      for (const double unit : {0x1p-10, 1.0, 0x1p10}) {
        test::Matrix matrix = test::random_matrix(60, 4, 5);
        const std::vector<double> labels = test::random_labels(matrix, kind.target, 5);
        for (auto& row : matrix)
          for (double& value : row) value *= unit;
        Dataset data = test::table(matrix);
        data.labels = labels;
        const FitSpec spec =
            test::spec_of(recipe_named(method), kind, 1e-2 * unit * unit, 1e-3 * unit, Intercept::free);
        const Fit result = fit(data, spec);
        EXPECT_EQ(result.outcome.termination, Termination::converged) << method << " " << loss << " unit " << unit;
        passes.push_back(result.outcome.last.passes);
      }
      EXPECT_EQ(passes[0], passes[1]) << method << " " << loss;
      EXPECT_EQ(passes[2], passes[1]) << method << " " << loss;
    }
}

TEST(PrimalGradient, counts_three_passes_per_period_of_snapshots_and_one_per_pass_of_the_table) {
  const Dataset data = sparse_data(Target::sign, Storage::sparse);
  const Problem problem = make_problem(data, objective_of(loss_kind("logistic"), 1e-2, 0, Intercept::none));
  for (const GradientMethod method : all_methods) {
    const bool snapshot = method == GradientMethod::svrg || method == GradientMethod::katyusha;
    const auto solver = make(problem, method, 1.0 / 3, Draw::permutation);
    Point point;
    for (int epoch = 1; epoch <= 5; ++epoch) {
      solver->epoch();
      solver->read(point);  // the product for a certificate is not counted
      EXPECT_EQ(solver->work().passes, (snapshot ? 3 : 1) * epoch);
    }
    // Every drawn row is scored and added: its entries are read twice per draw; a full gradient reads all entries twice.
    EXPECT_NEAR(solver->work().entries / double(data.nnz), snapshot ? 30 : 10, snapshot ? 1 : 0.5);
  }
}

}  // namespace gradient_test
}  // namespace seesaw
