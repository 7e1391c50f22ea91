#include "data/facts.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/rng.h"
#include "support/table.h"

namespace seesaw {
namespace facts_test {

using test::all_storages;
using test::Matrix;
using test::Storage;
using test::table;
using test::Zeros;

// Row norms 5, 0, 13, 2; column norms sqrt(13), 12, sqrt(41), 0.
const Matrix sample = {{3, 0, 4, 0}, {0, 0, 0, 0}, {0, 12, 5, 0}, {2, 0, 0, 0}};

TEST(Facts, of_a_small_table_are_correct_in_every_storage) {
  for (const Storage storage : all_storages) {
    Dataset data = table(sample, storage);
    data.labels = {1, -1, -1, 1};
    const Facts facts = measure(data);
    EXPECT_EQ(facts.n, 4U);
    EXPECT_EQ(facts.d, 4U);
    EXPECT_EQ(facts.nnz, 5U);
    EXPECT_DOUBLE_EQ(facts.density, 5.0 / 16);
    EXPECT_EQ(facts.empty_rows, 1U);
    EXPECT_EQ(facts.empty_columns, 1U);
    EXPECT_EQ(facts.constant_columns, 0U);
    EXPECT_EQ(facts.longest_row, 2U);
    EXPECT_EQ(facts.row_norms.min, 2);
    EXPECT_EQ(facts.row_norms.median, 5) << "of 2, 5, 13: the empty row does not count";
    EXPECT_DOUBLE_EQ(facts.row_norms.mean, 20.0 / 3);
    EXPECT_EQ(facts.row_norms.max, 13);
    EXPECT_DOUBLE_EQ(facts.column_norms.min, std::sqrt(13.0));
    EXPECT_DOUBLE_EQ(facts.column_norms.median, std::sqrt(41.0));
    EXPECT_DOUBLE_EQ(facts.column_norms.mean, (std::sqrt(13.0) + std::sqrt(41.0) + 12) / 3);
    EXPECT_EQ(facts.column_norms.max, 12);
    EXPECT_DOUBLE_EQ(facts.mean_squared_row_norm, (25.0 + 169 + 4) / 4) << "the empty row counts here";
    ASSERT_EQ(facts.labels.size(), 2U);
    EXPECT_EQ(facts.labels[0].label, -1);
    EXPECT_EQ(facts.labels[0].count, 2U);
  }
}

TEST(Facts, median_of_an_even_number_is_the_mean_of_the_middle_two) {
  const Facts facts = measure(table({{7}, {1}, {2}, {4}}));
  EXPECT_EQ(facts.row_norms.median, 3);
}

TEST(Facts, count_a_column_as_constant_only_if_every_row_has_the_value) {
  const Matrix matrix = {{2, 2, 2, 0}, {2, 2, 2, 0}, {2, 0, 3, 0}};
  for (const Storage storage : all_storages) EXPECT_EQ(measure(table(matrix, storage)).constant_columns, 1U);
}

TEST(Facts, treat_rows_and_columns_of_explicit_zeros_as_empty) {
  const Facts facts = measure(table({{1, 0}, {0, 0}}, Storage::sparse, Zeros::explicit_entries));
  EXPECT_EQ(facts.nnz, 4U) << "as the file has them";
  EXPECT_EQ(facts.density, 1);
  EXPECT_EQ(facts.empty_rows, 1U);
  EXPECT_EQ(facts.empty_columns, 1U);
  EXPECT_EQ(facts.longest_row, 1U);
}

TEST(Facts, of_random_data_are_those_of_sorting_and_naive_loops) {
  Rng rng(11);
  Matrix matrix(301, std::vector<double>(40));
  for (auto& row : matrix)
    for (double& value : row)
      if (rng.uniform() < 0.05) value = rng.uniform() - 0.5;
  std::vector<double> norms;
  double squares = 0;
  std::size_t longest = 0;
  for (const auto& row : matrix) {
    double sum = 0;
    for (const double value : row) sum += value * value;
    squares += sum;
    if (sum > 0) norms.push_back(std::sqrt(sum));
    longest = std::max(longest, row.size() - static_cast<std::size_t>(std::count(row.begin(), row.end(), 0.0)));
  }
  std::sort(norms.begin(), norms.end());
  ASSERT_LT(norms.size(), 301U);

  const Facts facts = measure(table(matrix));
  EXPECT_EQ(facts.empty_rows, 301 - norms.size());
  EXPECT_EQ(facts.longest_row, longest);
  EXPECT_NEAR(facts.row_norms.min, norms.front(), 1e-15);
  EXPECT_NEAR(facts.row_norms.max, norms.back(), 1e-15);
  EXPECT_NEAR(facts.row_norms.median, (norms[(norms.size() - 1) / 2] + norms[norms.size() / 2]) / 2, 1e-15);
  EXPECT_NEAR(facts.mean_squared_row_norm, squares / 301, 1e-14);
}

TEST(Facts, of_data_without_entries_are_zero_and_not_nan) {
  const Facts facts = measure(table({{0, 0}, {0, 0}, {0, 0}}));
  EXPECT_EQ(facts.empty_rows, 3U);
  EXPECT_EQ(facts.empty_columns, 2U);
  EXPECT_EQ(facts.row_norms.mean, 0);
  EXPECT_EQ(facts.column_norms.median, 0);
  EXPECT_EQ(facts.mean_squared_row_norm, 0);
  EXPECT_EQ(measure(table({})).density, 0);
}

}  // namespace facts_test
}  // namespace seesaw
