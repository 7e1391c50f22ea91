#include "sampling/alias_table.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <numeric>

#include "base/rng.h"

namespace seesaw {
namespace alias_table_test {

// The probabilities of the table: sums of the parts of its cells.
std::map<std::uint32_t, double> implied(const AliasTable& table) {
  std::map<std::uint32_t, double> probability;
  for (const AliasTable::Cell& cell : table.cells()) {
    const double own = static_cast<double>(cell.threshold) * 0x1p-64;
    probability[cell.rows[0]] += own / static_cast<double>(table.cells().size());
    probability[cell.rows[1]] += (1 - own) / static_cast<double>(table.cells().size());
  }
  return probability;
}

std::vector<std::uint32_t> even_rows(std::size_t n) {
  std::vector<std::uint32_t> rows(n);
  for (std::size_t k = 0; k < n; ++k) rows[k] = static_cast<std::uint32_t>(2 * k);
  return rows;
}

void expect_exact(const AliasTable& table, const std::vector<double>& weights) {
  const double total = std::accumulate(weights.begin(), weights.end(), 0.0);
  auto probability = implied(table);
  for (std::size_t k = 0; k < weights.size(); ++k) {
    const double p = probability[static_cast<std::uint32_t>(2 * k)];
    EXPECT_NEAR(p, weights[k] / total, 1e-12) << k;
    EXPECT_TRUE(weights[k] > 0 || p == 0) << k;
  }
  EXPECT_LE(probability.size(), weights.size());
}

TEST(AliasTable, implies_the_probabilities_it_was_given) {
  Rng rng(1);
  AliasTable table;
  for (std::size_t n : {1, 2, 3, 10, 1000, 20000, 77})
    for (double orders : {0.0, 1.0, 6.0, 300.0}) {
      std::vector<double> weights(n);
      for (double& weight : weights) weight = 1e3 * std::pow(10, -orders * rng.uniform());
      const double total = std::accumulate(weights.begin(), weights.end(), 0.0);
      EXPECT_NEAR(table.build(even_rows(n), weights), total, 1e-12 * total);
      expect_exact(table, weights);
    }
}

TEST(AliasTable, never_draws_rows_of_weight_zero_whatever_the_rounding) {
  Rng rng(2);
  AliasTable table;
  for (int trial = 0; trial < 2000; ++trial) {
    std::vector<double> weights(2 + rng.below(40));
    for (double& weight : weights) weight = rng.below(2) == 0 ? 0 : 0.1 * (1 + rng.below(3));
    weights[rng.below(static_cast<std::uint32_t>(weights.size()))] = 0.3;
    table.build(even_rows(weights.size()), weights);
    expect_exact(table, weights);
  }
  std::vector<double> one(1000);
  one[999] = 1e-299;
  table.build(even_rows(1000), one);
  expect_exact(table, one);
}

TEST(AliasTable, takes_equal_weights_however_their_sum_is_rounded) {
  AliasTable table;
  for (std::size_t n = 1; n < 200; ++n)
    for (double weight : {0.1, 1.0 / 3, 0.7, 1e-10}) {
      table.build(even_rows(n), std::vector<double>(n, weight));
      expect_exact(table, std::vector<double>(n, weight));
    }
}

TEST(AliasTable, gives_the_words_of_a_cell_to_its_row_and_then_to_its_alias) {
  AliasTable table;
  table.build(std::vector<std::uint32_t>{5, 9}, std::vector<double>{1, 3});
  // Row 5 has half of the first cell, which is the lower half of all words.
  EXPECT_EQ(table.draw(0), 5u);
  EXPECT_EQ(table.draw((std::uint64_t{1} << 62) - 1), 5u);
  EXPECT_EQ(table.draw(std::uint64_t{1} << 62), 9u);
  EXPECT_EQ(table.draw(std::uint64_t{1} << 63), 9u);
  EXPECT_EQ(table.draw(~std::uint64_t{0}), 9u);
}

TEST(AliasTable, is_rebuilt_in_place) {
  AliasTable table;
  const auto rows = even_rows(300);
  table.build(rows, std::vector<double>(300, 1));
  const auto* cells = table.cells().data();
  std::vector<double> weights(300);
  std::iota(weights.begin(), weights.end(), 0.0);
  table.build(rows, weights);
  EXPECT_EQ(table.cells().data(), cells);
  expect_exact(table, weights);
}

}  // namespace alias_table_test
}  // namespace seesaw
