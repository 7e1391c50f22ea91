// The doubly stochastic engine against an eager version in long double, iterate by iterate: the same draws of the same
// samplers.
#include <gtest/gtest.h>

#include "sampling/adaptive.h"
#include "sampling/ramped.h"
#include "sampling/uniform.h"
#include "solvers/catalog.h"
#include "support/eager_doubly_stochastic.h"
#include "support/expectations.h"
#include "support/problems.h"

namespace seesaw {
namespace doubly_stochastic_test {

using test::Storage;

enum class Draws { uniform, norms, adaptive };

std::unique_ptr<Sampler> sampler_of(Draws draws, const std::vector<std::uint32_t>& listed, std::uint64_t stream) {
  if (draws == Draws::uniform) return std::make_unique<UniformSampler>(listed, Rng(5, stream));
  if (draws == Draws::adaptive)
    return std::make_unique<AdaptiveSampler>(listed, Adaptivity{0.2, 0.8, 200, 0.5}, Rng(5, stream));
  std::vector<double> weights;
  for (std::uint32_t index : listed) weights.push_back(1 + index % 4);
  return std::make_unique<RampedSampler>(listed, weights, Ramp{0.2, 0.8, 200}, Rng(5, stream));
}

struct Case {
  const LossKind* kind;
  double lambda = 1e-2, l1 = 0;
  Draws draws = Draws::uniform;
  ColumnExtrapolation extrapolation = ColumnExtrapolation::plain;
  bool clip = false;
  Intercept intercept = Intercept::none;
  Storage storage = Storage::sparse;
  bool weighted = false;
};

DoublyStochasticSpec spec_of(const Problem& problem, const Case& c) {
  const RowFacts rows(problem);
  const ColumnFacts columns(problem, rows);
  auto row_sampler = sampler_of(c.draws, rows.drawable, 0), column_sampler = sampler_of(c.draws, columns.drawable, 1);
  return {.row_facts = rows,
          .column_facts = columns,
          .rows = std::move(row_sampler),
          .columns = std::move(column_sampler),
          .factor = 1.5,
          .extrapolation = c.extrapolation,
          .clip = c.clip};
}

// Row 3 and column 5 are empty; entries are exact in float.
Dataset data_of(const Case& c) {
  test::Matrix matrix = test::random_matrix(30, 12, 11);
  for (auto& row : matrix) row[5] = 0;
  Dataset data = test::table(matrix, c.storage);
  data.labels = test::random_labels(matrix, c.kind->target, 11);
  if (c.weighted)
    for (std::size_t i = 0; i < data.n(); ++i) data.weights.push_back(0.5 + double(i % 3));
  return data;
}

Problem problem_of(const Dataset& data, const Case& c) {
  Objective objective;
  objective.loss = c.kind->name;
  objective.lambda = c.lambda;
  objective.l1 = c.l1;
  objective.intercept = c.intercept;
  return make_problem(data, objective);
}

// The growth of rounding errors in double precision over the same steps: the largest distance over the epochs between
// the eager method in double and in long double.
double rounding(const Problem& problem, const Case& c, int epochs) {
  test::EagerDoublyStochastic<double> rounded(problem, spec_of(problem, c));
  test::EagerDoublyStochastic exact(problem, spec_of(problem, c));
  double worst = 0, size = 1;
  const auto compare = [&](double ours, long double theirs) {
    size = std::max(size, std::abs(ours));
    worst = std::max(worst, std::abs(ours - static_cast<double>(theirs)) / size);
  };
  for (int epoch = 0; epoch < epochs; ++epoch) {
    rounded.epoch();
    exact.epoch();
    for (std::size_t j = 0; j < problem.d(); ++j) compare(rounded.x(j), exact.x(j));
    for (std::size_t i = 0; i < problem.n(); ++i) compare(rounded.y(i), exact.y(i));
  }
  return worst;
}

// The largest distance over the epochs of x, y and b of the two; 0 if rounding explains a distance above 1e-11, that is,
// if the eager method in double precision is at least half as far from the reference.
double distance(const Case& c, int epochs = 60) {
  const Dataset data = data_of(c);
  const Problem problem = problem_of(data, c);
  const auto solver = make_doubly_stochastic(problem, spec_of(problem, c), {});
  test::EagerDoublyStochastic eager(problem, spec_of(problem, c));
  double worst = 0, size = 1, moved = 0;
  Point point;
  for (int epoch = 0; epoch < epochs; ++epoch) {
    solver->epoch();
    eager.epoch();
    solver->read(point);
    const auto compare = [&](double ours, long double theirs) {
      size = std::max(size, std::abs(ours));
      worst = std::max(worst, std::abs(ours - static_cast<double>(theirs)) / size);
      moved = std::max(moved, std::abs(ours));
    };
    for (std::size_t j = 0; j < problem.d(); ++j) {
      compare(point.x[j], eager.x(j));
      if (c.l1 > 0 && eager.x(j) == 0 && point.x[j] != 0) return infinity;  // zeros are zeros
    }
    for (std::size_t i = 0; i < problem.n(); ++i) compare(point.y[i], eager.y(i));
    compare(point.intercept[0], eager.intercept());
  }
  EXPECT_GT(moved, 0.01);
  EXPECT_EQ(point.x[5], 0);
  return worst > 1e-11 && worst <= 2 * rounding(problem, c, epochs) ? 0 : worst;
}

TEST(DoublyStochastic, is_the_eager_one_with_every_loss) {
  for (const LossKind& kind : loss_kinds())
    for (const double lambda : {1e-1, 1e-3})
      for (const double l1 : {0.0, 2e-2})
        for (const Draws draws : {Draws::uniform, Draws::norms, Draws::adaptive})
          for (const ColumnExtrapolation extrapolation : {ColumnExtrapolation::plain, ColumnExtrapolation::unbiased})
            EXPECT_LE(
                distance({.kind = &kind, .lambda = lambda, .l1 = l1, .draws = draws, .extrapolation = extrapolation}),
                1e-11)
                << kind.name << " lambda " << lambda << " l1 " << l1 << " draws " << int(draws) << " extrapolation "
                << int(extrapolation);
}

TEST(DoublyStochastic, is_the_eager_one_in_every_storage_with_weights_and_intercepts) {
  for (const char* loss : {"smooth-hinge", "logistic", "squared", "absolute"})
    for (const double lambda : {1e-2, 1e4})  // the large one shortens the step of the intercept
      for (const Storage storage : test::all_storages)
        for (const Intercept intercept : {Intercept::none, Intercept::free})
          for (const Draws draws : {Draws::uniform, Draws::norms, Draws::adaptive})
            EXPECT_LE(distance({.kind = &loss_kind(loss),
                                .lambda = lambda,
                                .l1 = 1e-2,
                                .draws = draws,
                                .clip = draws == Draws::adaptive,
                                .intercept = intercept,
                                .storage = storage,
                                .weighted = true}),
                      1e-11)
                << loss << " lambda " << lambda << " storage " << int(storage) << " intercept " << int(intercept)
                << " draws " << int(draws);
}

// Algorithm 2 of Liu, Wang & So by its options: the probabilities, the ramp of delta, the factor.
TEST(DoublyStochastic, of_the_catalog_is_the_eager_one_with_the_probabilities_of_the_paper) {
  const Case c{.kind = &loss_kind("smooth-hinge")};
  const Dataset data = data_of(c);
  const Problem problem = problem_of(data, c);
  const test::Matrix matrix = test::matrix_of(data);
  const double draws_per_pass = std::ceil(2 / (1.0 / 29 + 1.0 / 11));
  for (const char* sampling : {"uniform", "norms", "adaptive"})
    for (const char* extrapolation : {"plain", "unbiased"}) {
      DoublyStochasticSpec spec = spec_of(problem, c);
      std::vector<double> row_norms, column_norms;
      for (std::uint32_t i : spec.row_facts.drawable) {
        double sum = 0;
        for (std::size_t j = 0; j < 12; ++j) sum += matrix[i][j] * matrix[i][j];
        row_norms.push_back(std::sqrt(sum));
      }
      for (std::uint32_t j : spec.column_facts.drawable) {
        double sum = 0;
        for (std::size_t i = 0; i < 30; ++i) sum += matrix[i][j] * matrix[i][j];
        column_norms.push_back(std::sqrt(sum));
      }
      const auto make = [&](const auto& listed, const auto& norms, std::uint64_t stream) -> std::unique_ptr<Sampler> {
        const Rng rng(9, stream);
        if (sampling == std::string("uniform")) return std::make_unique<UniformSampler>(listed, rng);
        if (sampling == std::string("norms"))
          return std::make_unique<RampedSampler>(listed, norms,
                                                 Ramp{0.2, 0.7, static_cast<std::uint64_t>(10 * draws_per_pass)}, rng);
        return std::make_unique<AdaptiveSampler>(
            listed, Adaptivity{0.2, 0.7, static_cast<std::uint64_t>(10 * draws_per_pass), 0.6}, rng);
      };
      spec.rows = make(spec.row_facts.drawable, row_norms, 0);
      spec.columns = make(spec.column_facts.drawable, column_norms, 1);
      spec.factor = 2.5;
      spec.extrapolation =
          extrapolation == std::string("plain") ? ColumnExtrapolation::plain : ColumnExtrapolation::unbiased;
      spec.clip = sampling == std::string("adaptive");
      test::EagerDoublyStochastic eager(problem, std::move(spec));
      OptionValues options = {{"sampling", sampling}, {"extrapolation", extrapolation}, {"step", "2.5"}};
      if (sampling != std::string("uniform")) options.insert({{"delta", "0.7"}, {"ramp", "10"}});
      if (sampling == std::string("adaptive")) options["kappa"] = "0.6";
      const auto solver = make_solver(problem, {"dspdc", options, 9});
      Point point;
      for (int epoch = 0; epoch < 30; ++epoch) {
        solver->epoch();
        eager.epoch();
        solver->read(point);
        for (std::size_t j = 0; j < 12; ++j)
          EXPECT_NEAR(point.x[j], static_cast<double>(eager.x(j)), 1e-11) << sampling << " " << extrapolation;
      }
    }
}

// The y of an empty row is exactly the derivative of the original loss, and is not changed.
TEST(DoublyStochastic, keeps_empty_rows_at_the_derivative_of_the_original_loss) {
  for (const LossKind& kind : loss_kinds()) {
    const Case c{.kind = &kind};
    const Dataset data = data_of(c);
    const Problem problem = problem_of(data, c);
    const auto solver = make_doubly_stochastic(problem, spec_of(problem, c), {});
    for (int epoch = 0; epoch < 10; ++epoch) solver->epoch();
    Point point;
    solver->read(point);
    EXPECT_EQ(point.y[3], std::visit([&](const auto& l) { return l.derivative(problem.scalar().target[3], 0); },
                                     problem.scalar().loss))
        << kind.name;
  }
}

// A pass is 2 nnz entries; an epoch is about one pass.
TEST(DoublyStochastic, counts_the_entries_of_the_rows_and_columns_drawn) {
  for (const Draws draws : {Draws::uniform, Draws::norms, Draws::adaptive}) {
    const Case c{.kind = &loss_kind("logistic"), .draws = draws};
    const Dataset data = data_of(c);
    const Problem problem = problem_of(data, c);
    const auto solver = make_doubly_stochastic(problem, spec_of(problem, c), {});
    auto [row_facts, column_facts, rows, columns, factor, extrapolation, clip] = spec_of(problem, c);
    for (int epoch = 0; epoch < 100; ++epoch) solver->epoch();
    EXPECT_NEAR(solver->work().passes, 100, 20);
    EXPECT_DOUBLE_EQ(solver->work().passes, solver->work().entries / (2.0 * double(data.nnz)));
    if (draws != Draws::uniform) continue;
    double entries = 0;
    std::vector<std::uint32_t> i(100 * steps_per_pass(row_facts, column_facts)), j(i.size());
    rows->fill(i);
    columns->fill(j);
    const auto& a = std::get<SparseRows<double>>(data.rows);
    const auto& transposed = std::get<SparseRows<double>>(problem.columns());
    for (std::size_t t = 0; t < i.size(); ++t) entries += double(a.entries(i[t]) + transposed.entries(j[t]));
    EXPECT_EQ(solver->work().entries, entries);
  }
}

// With one column only the row is drawn: DSPDC with the printed steps is SPDC, including its steps and theta.
TEST(DoublyStochastic, on_one_column_is_spdc) {
  for (const LossKind& kind : loss_kinds())
    for (const double l1 : {0.0, 2e-2})
      for (const char* extrapolation : {"plain", "unbiased"}) {
        const test::Matrix matrix = test::random_matrix(30, 1, 7);
        Dataset data = test::table(matrix);
        data.labels = test::random_labels(matrix, kind.target, 7);
        for (std::size_t i = 0; i < data.n(); ++i) data.weights.push_back(0.5 + double(i % 3));
        const Problem problem = problem_of(data, {.kind = &kind, .l1 = l1, .weighted = true});
        const auto spdc = make_solver(problem, {"spdc", {{"draw", "iid"}}, 3});
        const auto dspdc = make_solver(problem, {"dspdc", {{"step", "1"}, {"extrapolation", extrapolation}}, 3});
        Point a, b;
        for (int k = 0; k < 20; ++k) {
          spdc->epoch();                                      // 30 draws
          for (int two = 0; two < 15; ++two) dspdc->epoch();  // of two steps each
          spdc->read(a);
          dspdc->read(b);
          EXPECT_NEAR(a.x[0], b.x[0], 1e-12) << kind.name;
          EXPECT_TRUE(test::all_near(b.y, a.y, 1e-12)) << kind.name;
        }
        EXPECT_NE(a.y[0], 0);
      }
}

// Only the intercept moves: no column is drawn.
TEST(DoublyStochastic, moves_the_intercept_of_data_without_entries) {
  Dataset data = test::table({{0, 0}, {0, 0}, {0, 0}});
  data.labels = {1, -1, 1};
  for (const char* loss : {"logistic", "squared"}) {
    const Case c{.kind = &loss_kind(loss), .intercept = Intercept::free};
    const Problem problem = problem_of(data, c);
    const auto solver = make_doubly_stochastic(problem, spec_of(problem, c), {});
    for (int epoch = 0; epoch < 300; ++epoch) solver->epoch();
    Point point;
    solver->read(point);
    EXPECT_EQ(point.x, (std::vector<double>{0, 0}));
    EXPECT_EQ(solver->work().passes, 300);
    EXPECT_LE(Certifier(problem).certify(point).gap, 1e-12) << loss;
  }
}

}  // namespace doubly_stochastic_test
}  // namespace seesaw
