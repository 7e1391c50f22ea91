// Draws, counts, defaults and refusals of the single-entry engine.
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "seesaw/error.h"
#include "solvers/catalog.h"
#include "solvers/parts/sampling/entry_draws.h"
#include "support/problems.h"

namespace seesaw {
namespace single_entry_test {

using test::Storage;

// Row 1 and column 2 are empty.
struct Small {
  explicit Small(Intercept intercept, Storage storage = Storage::sparse) : data(test::table(matrix, storage)) {
    data.labels = {1, -1, 1, -1};
    Objective objective;
    objective.loss = "squared";
    objective.lambda = 0.1;
    objective.intercept = intercept;
    problem = std::make_unique<Problem>(make_problem(data, objective));
  }
  const test::Matrix matrix = {{1, 2, 0, 0}, {0, 0, 0, 0}, {0, 3, 0, 4}, {5, 6, 0, 7}};
  Dataset data;
  std::unique_ptr<Problem> problem;
};

double entry(const Small& small, const EntryFacts& facts, std::uint32_t i, std::uint32_t j) {
  return j == 4 ? facts.bias_entry : small.matrix[i][j];
}

TEST(EntryDraws, have_the_stated_probabilities_and_the_entries_of_the_matrix) {
  for (const Intercept intercept : {Intercept::none, Intercept::free})
    for (const Storage storage : test::all_storages)
      for (const EntrySampling sampling :
           {EntrySampling::nonzeros, EntrySampling::norms, EntrySampling::uniform, EntrySampling::adaptive}) {
        const Small small(intercept, storage);
        if (small.data.dense() && sampling == EntrySampling::nonzeros) continue;
        const EntryFacts facts(*small.problem);
        EntryProbabilities probabilities(facts, sampling, 0.6);
        if (sampling == EntrySampling::adaptive)
          probabilities.follow(std::vector<double>{1, 2, 3, 4}, std::vector<double>{4, 3, 2, 1, 5});
        const auto draws = make_entry_draws(*small.problem, probabilities, sampling, facts.bias_entry, 3);
        constexpr std::size_t count = 100000;
        std::vector<EntryDraw> block(count);
        draws->fill(block);
        std::vector<double> pairs(20), above(20), beside(20);  // how often (i, j), (i', j), (i, j')
        for (const EntryDraw& e : block) {
          ++pairs[e.i * 5 + e.j];
          ++above[e.other_i * 5 + e.j];
          ++beside[e.i * 5 + e.other_j];
          ASSERT_EQ(e.a, entry(small, facts, e.i, e.j));
          ASSERT_EQ(e.above, entry(small, facts, e.other_i, e.j));
          ASSERT_EQ(e.beside, entry(small, facts, e.i, e.other_j));
        }
        double total = 0;
        for (std::uint32_t i : facts.rows)
          for (std::uint32_t j : facts.columns) {
            const bool never = sampling == EntrySampling::nonzeros && entry(small, facts, i, j) == 0;
            const double p = never ? 0 : probabilities.entry(i, j), wide = 5 * std::sqrt(p * count);
            total += p;
            EXPECT_NEAR(pairs[i * 5 + j], p * count, wide) << i << " " << j << " sampling " << int(sampling);
            // P(i'|j) q_j and P(j'|i) p_i are the same.
            if (never) continue;
            const double given_column = 1 / (probabilities.row_weight(i) * probabilities.column_spread(j));
            const double given_row = 1 / (probabilities.column_weight(j) * probabilities.row_spread(i));
            EXPECT_NEAR(probabilities.column(j) * given_column, p, 1e-12);
            EXPECT_NEAR(probabilities.row(i) * given_row, p, 1e-12);
            EXPECT_NEAR(above[i * 5 + j], p * count, wide) << i << " " << j << " sampling " << int(sampling);
            EXPECT_NEAR(beside[i * 5 + j], p * count, wide) << i << " " << j << " sampling " << int(sampling);
          }
        EXPECT_NEAR(total, 1, 1e-12);  // so that empty rows and columns are never drawn
      }
}

TEST(EntryDraws, do_not_depend_on_the_block_size) {
  const Small small(Intercept::free);
  const EntryFacts facts(*small.problem);
  for (const EntrySampling sampling : {EntrySampling::nonzeros, EntrySampling::norms}) {
    const EntryProbabilities probabilities(facts, sampling, 0.6);
    std::vector<EntryDraw> whole(100), cut(100);
    make_entry_draws(*small.problem, probabilities, sampling, facts.bias_entry, 9)->fill(whole);
    const auto draws = make_entry_draws(*small.problem, probabilities, sampling, facts.bias_entry, 9);
    for (std::size_t begin = 0, size = 1; begin < 100; begin += size++)
      draws->fill(std::span(cut).subspan(begin, std::min(size, 100 - begin)));
    for (std::size_t k = 0; k < 100; ++k) {
      EXPECT_EQ(whole[k].i, cut[k].i);
      EXPECT_EQ(whole[k].j, cut[k].j);
      EXPECT_EQ(whole[k].other_i, cut[k].other_i);
      EXPECT_EQ(whole[k].other_j, cut[k].other_j);
    }
  }
}

TEST(EntryProbabilities, of_norms_follow_delta) {
  const Small small(Intercept::none);
  const EntryFacts facts(*small.problem);
  EntryProbabilities changed(facts, EntrySampling::norms, 0.1);
  changed.set_delta(0.7);
  const EntryProbabilities made(facts, EntrySampling::norms, 0.7);
  for (std::uint32_t i : facts.rows) EXPECT_EQ(changed.row(i), made.row(i));
  for (std::uint32_t j : facts.columns) EXPECT_EQ(changed.column(j), made.column(j));
}

// A pool has nd/log(nd) rows, drawn with their probabilities at the beginning of each period.
TEST(EntryDraws, from_pools_have_the_stated_probabilities_over_many_periods) {
  const Small small(Intercept::none, Storage::dense);
  const EntryFacts facts(*small.problem);
  const EntryProbabilities probabilities(facts, EntrySampling::norms, 0.6);
  const std::size_t pool = pool_size(facts);
  EXPECT_EQ(pool, static_cast<std::size_t>(std::ceil(facts.n() * facts.d() / std::log(facts.n() * facts.d()))));
  const auto draws = make_entry_draws(*small.problem, probabilities, EntrySampling::norms, 0, 3, 2);
  constexpr int periods = 50000;
  std::vector<double> row(4), column(4);
  for (int period = 0; period < periods; ++period) {
    draws->begin_period();
    EntryDraw block[10];
    draws->fill(block);
    std::set<std::uint32_t> rows;
    for (const EntryDraw& e : block) {
      rows.insert({e.i, e.other_i});
      ASSERT_EQ(e.a, entry(small, facts, e.i, e.j));
    }
    ASSERT_LE(rows.size(), 2u);  // of a pool of 2
    ++row[block[0].i];
    ++column[block[0].j];
  }
  for (std::uint32_t i : facts.rows)
    EXPECT_NEAR(row[i], probabilities.row(i) * periods, 5 * std::sqrt(probabilities.row(i) * periods));
  for (std::uint32_t j : facts.columns)
    EXPECT_NEAR(column[j], probabilities.column(j) * periods, 5 * std::sqrt(probabilities.column(j) * periods));
}

TEST(EntryFacts, do_not_depend_on_the_unit_of_the_features) {
  for (const Intercept intercept : {Intercept::none, Intercept::free}) {
    const Small small(intercept);
    test::Matrix large = small.matrix;
    for (auto& row : large)
      for (double& value : row) value *= 1024;
    Dataset data = test::table(large);
    data.labels = small.data.labels;
    Objective objective;
    objective.loss = "squared";
    objective.lambda = 0.1 * 1024 * 1024;
    objective.intercept = intercept;
    const Problem problem = make_problem(data, objective);
    const EntryFacts facts(*small.problem), scaled(problem);
    EXPECT_DOUBLE_EQ(scaled.bias_entry, 1024 * facts.bias_entry);
    const EntryFeedback here = feedback_of(*small.problem, facts, EntryProbabilities(facts, EntrySampling::norms, 0.8));
    const EntryFeedback there = feedback_of(problem, scaled, EntryProbabilities(scaled, EntrySampling::norms, 0.8));
    EXPECT_NEAR(there.once / here.once, 1024 * 1024, 1);
    EXPECT_NEAR(there.noise / here.noise, 1024 * 1024, 1);
  }
}

Point after(const Small& small, const OptionValues& options, int epochs) {
  const auto solver = make_solver(*small.problem, {"spd1-vr", options, 5});
  for (int k = 0; k < epochs; ++k) solver->epoch();
  Point point;
  solver->read(point);
  return point;
}

TEST(Spd1Vr, draws_among_the_non_zeros_of_sparse_data_and_by_norms_in_dense_data) {
  const Small sparse(Intercept::none), dense(Intercept::none, Storage::dense);
  EXPECT_EQ(after(sparse, {}, 9).x, after(sparse, {{"sampling", "nonzeros"}}, 9).x);
  EXPECT_EQ(after(dense, {}, 9).x, after(dense, {{"sampling", "norms"}}, 9).x);
  EXPECT_NE(after(sparse, {}, 9).x, after(sparse, {{"sampling", "norms"}}, 9).x);
  EXPECT_NE(after(dense, {}, 9).x, after(dense, {{"sampling", "uniform"}}, 9).x);
}

TEST(Spd1Vr, with_delta_0_is_uniform_bit_for_bit) {
  for (const Storage storage : test::all_storages) {
    const Small small(Intercept::free, storage);
    const Point uniform = after(small, {{"sampling", "uniform"}}, 20);
    for (const char* sampling : {"norms", "adaptive"}) {
      const Point other = after(small, {{"sampling", sampling}, {"delta", "0"}}, 20);
      EXPECT_EQ(other.x, uniform.x) << sampling;
      EXPECT_EQ(other.y, uniform.y) << sampling;
    }
  }
}

TEST(Spd1Vr, keeps_the_optimal_intercept_of_data_without_entries) {
  Dataset data = test::table({{0, 0}, {0, 0}, {0, 0}});
  data.labels = {1, 1, 4};
  Objective objective;
  objective.loss = "squared";
  objective.lambda = 0.1;
  objective.intercept = Intercept::free;
  const Problem problem = make_problem(data, objective);
  const auto solver = make_solver(problem, {"spd1-vr", {}, 1});
  for (int k = 0; k < 500; ++k) solver->epoch();
  Point point;
  solver->read(point);
  EXPECT_NEAR(point.intercept[0], 2, 1e-9);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(point.y[i], 2 - data.labels[i], 1e-9);
  EXPECT_GT(solver->work().passes, 100);
}

// Two products by A per period, and three entries per step.
TEST(Spd1Vr, counts_the_entries_that_it_reads) {
  const Small small(Intercept::none);
  for (const double length : {0.25, 1.0, 4.0}) {
    const auto solver = make_solver(*small.problem, {"spd1-vr", {{"epoch-length", std::to_string(length)}}, 5});
    for (int k = 0; k < 10; ++k) solver->epoch();
    const double entries = 10 * (2 * 7 + 3 * std::round(7 * length));
    EXPECT_DOUBLE_EQ(solver->work().entries, entries);
    EXPECT_DOUBLE_EQ(solver->work().passes, entries / (2 * 7));
  }
}

TEST(Spd1Vr, refuses_invalid_options_and_lists_the_allowed_values) {
  const Small sparse(Intercept::none), dense(Intercept::none, Storage::dense_float);
  const auto refusal = [](const Small& small, const OptionValues& options) -> std::string {
    try {
      make_solver(*small.problem, {"spd1-vr", options, 1});
    } catch (const InvalidOption& error) {
      return error.what();
    }
    return "";
  };
  for (const char* value : {"0", "-1", "inf", "nan", "much"}) {
    EXPECT_NE(refusal(sparse, {{"step", value}}).find("a number above 0"), std::string::npos) << value;
    EXPECT_NE(refusal(sparse, {{"epoch-length", value}}).find("a number above 0"), std::string::npos) << value;
  }
  EXPECT_NE(refusal(sparse, {{"epoch-length", "1e6"}}).find("up to 1000"), std::string::npos);
  for (const char* value : {"-0.1", "1", "1.5", "nan"})
    EXPECT_NE(refusal(sparse, {{"delta", value}}).find("a number in [0, 1)"), std::string::npos) << value;
  EXPECT_NE(refusal(sparse, {{"sampling", "zeros"}}).find("nonzeros, norms, uniform, adaptive"), std::string::npos);
  EXPECT_NE(refusal(dense, {{"sampling", "nonzeros"}}).find("use norms, uniform or adaptive"), std::string::npos);
  EXPECT_NE(refusal(sparse, {{"batch", "2"}}).find("`sampling`, `step`"), std::string::npos);
  for (const char* sampling : {"nonzeros", "uniform"})  // which would ignore it
    EXPECT_NE(refusal(sparse, {{"sampling", sampling}, {"delta", "0.5"}}).find("norms or adaptive"), std::string::npos);
}

}  // namespace single_entry_test
}  // namespace seesaw
