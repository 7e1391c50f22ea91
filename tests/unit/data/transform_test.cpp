#include "data/transform.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "base/rng.h"
#include "seesaw/error.h"
#include "support/table.h"

namespace seesaw {
namespace transform_test {

using test::all_storages;
using test::Matrix;
using test::matrix_of;
using test::Storage;
using test::table;
using test::Zeros;

constexpr bool with_constant = true, without_constant = false;

// Columns: dense, sparse, constant, empty, two-valued with a large mean.
const Matrix sample = {{1, 0, 4, 0, 1e6 + 1},
                       {-3, 0, 4, 0, 1e6 - 1},
                       {2, 8, 4, 0, 1e6 + 1},
                       {0.5, 0, 4, 0, 1e6 - 1},
                       {7, -4, 4, 0, 1e6 + 1}};

double norm_of(const std::vector<double>& row) {
  double sum = 0;
  for (const double value : row) sum += value * value;
  return std::sqrt(sum);
}

// The definition, in long double.
double deviation(const Matrix& matrix, std::size_t j) {
  const auto n = static_cast<long double>(matrix.size());
  long double mean = 0, squares = 0;
  for (const auto& row : matrix) mean += row[j] / n;
  for (const auto& row : matrix) squares += (row[j] - mean) * (row[j] - mean);
  return static_cast<double>(std::sqrt(squares / n));
}

TEST(Scaling, is_found_by_its_name) {
  for (const Scaling scaling : {Scaling::none, Scaling::rows, Scaling::max, Scaling::columns_max, Scaling::columns_std})
    EXPECT_EQ(scaling_of(name_of(scaling)), scaling);
  EXPECT_EQ(name_of(Scaling::columns_std), "columns-std");
}

TEST(Scaling, of_an_unknown_name_is_refused_with_the_names_that_exist) {
  try {
    scaling_of("columns");
    FAIL() << "accepted";
  } catch (const InvalidOption& error) {
    const std::string message = error.what();
    EXPECT_NE(message.find("'columns'"), std::string::npos) << message;
    EXPECT_NE(message.find("none, rows, max, columns-max, columns-std"), std::string::npos) << message;
  }
}

TEST(Transform, that_is_the_identity_returns_the_same_arrays) {
  const Dataset data = table(sample, Storage::sparse, Zeros::explicit_entries);
  const Transform identity = fit_transform(data, Scaling::none, without_constant);
  ASSERT_TRUE(identity.identity());
  const Dataset same = apply(identity, data);
  const auto& before = std::get<SparseRows<double>>(data.rows);
  const auto& after = std::get<SparseRows<double>>(same.rows);
  EXPECT_EQ(before.values().data(), after.values().data());
  EXPECT_EQ(same.nnz, data.nnz);
}

TEST(Transform, scales_every_nonempty_row_to_norm_one) {
  Matrix matrix = sample;
  matrix.push_back({0, 0, 0, 0, 0});
  matrix.push_back({3e-200, 0, -4e-200, 0, 0});  // squares underflow
  matrix.push_back({3e200, 0, -4e200, 0, 0});    // squares overflow
  for (const Storage storage : {Storage::sparse, Storage::dense}) {
    const Dataset data = table(matrix, storage);
    const Matrix scaled = matrix_of(apply(fit_transform(data, Scaling::rows, without_constant), data));
    for (std::size_t i = 0; i < matrix.size(); ++i) {
      if (i == 5) {
        EXPECT_EQ(scaled[i], matrix[i]);
        continue;
      }
      EXPECT_NEAR(norm_of(scaled[i]), 1, 4e-16);
      for (std::size_t j = 0; j < 5; ++j) EXPECT_EQ(std::signbit(scaled[i][j]), std::signbit(matrix[i][j]));
    }
    EXPECT_DOUBLE_EQ(scaled[6][0], 0.6);
    EXPECT_DOUBLE_EQ(scaled[7][2], -0.8);
  }
}

TEST(Transform, of_sparse_rows_shares_their_pattern_and_replaces_values_only) {
  const Dataset data = table(sample, Storage::sparse);
  for (const Scaling scaling : {Scaling::rows, Scaling::max, Scaling::columns_max, Scaling::columns_std}) {
    const Dataset scaled = apply(fit_transform(data, scaling, without_constant), data);
    const auto& before = std::get<SparseRows<double>>(data.rows);
    std::visit(
        [&](const auto& after) {
          if constexpr (requires { after.columns(); }) {
            EXPECT_EQ(after.columns().data(), before.columns().data());
            EXPECT_EQ(after.offsets().data(), before.offsets().data());
          } else {
            FAIL() << "dense";
          }
        },
        scaled.rows);
  }
}

// Against rows built entry by entry: the same storage and the same entries, whatever path makes them.
TEST(Transform, appends_a_constant_feature_as_if_rows_were_built_with_it) {
  std::set<std::size_t> storages;
  for (const std::uint32_t width : {3, 40})
    for (const double value : {2.0, 0.1})  // the second is not a float
      for (const bool float_values : {true, false})
        for (const bool zero : {false, true}) {
          std::vector<std::uint64_t> offsets = {0};
          std::vector<std::uint32_t> columns;
          std::vector<double> values;
          for (std::uint32_t i = 0; i < 300; ++i) {
            for (std::uint32_t j = 0; j < width && i % 7 != 0; j += width == 3 ? 1 : 1 + (i + j) % 9) {
              columns.push_back(j);
              values.push_back(zero && i == 11 ? 0 : float_values ? 1 + j / 8.0 : 0.3 * (i + 1.0));
            }
            offsets.push_back(columns.size());
          }
          Dataset data{.rows = SparseRows<double>(width, offsets, columns, values, nullptr),
                       .labels = std::vector<double>(300, 1.0)};
          data.nnz = columns.size();
          RowsBuilder builder;
          for (std::size_t i = 0; i < 300; ++i) {
            RowEntries row;
            row.take(std::get<SparseRows<double>>(data.rows).row(i));
            row.columns.push_back(width);
            row.values.push_back(value);
            builder.add_row(row);
          }
          const Rows expected = std::move(builder).finish(width + 1, Precision::exact);
          const Dataset found = apply(fit_transform(data, Scaling::none, value), data);
          ASSERT_EQ(found.rows.index(), expected.index());
          storages.insert(expected.index());
          std::visit(
              [&]<class RowsOf>(const RowsOf& wanted) {
                const auto& rows = std::get<RowsOf>(found.rows);
                EXPECT_EQ(rows.width(), width + 1);
                EXPECT_TRUE(std::ranges::equal(rows.values(), wanted.values()));
                if constexpr (requires { wanted.columns(); }) {
                  EXPECT_TRUE(std::ranges::equal(rows.columns(), wanted.columns()));
                  EXPECT_TRUE(std::ranges::equal(rows.offsets(), wanted.offsets()));
                }
              },
              expected);
          EXPECT_EQ(found.nnz, data.nnz + 300);
        }
  EXPECT_EQ(storages.size(), 4u);
}

TEST(Transform, appends_the_constant_feature_before_rows_are_scaled) {
  const Dataset data = table({{3, 4}, {0, 0}, {0, 2}});
  const Dataset scaled = apply(fit_transform(data, Scaling::rows, with_constant), data);
  ASSERT_EQ(scaled.d(), 3U);
  const Matrix matrix = matrix_of(scaled);
  EXPECT_DOUBLE_EQ(matrix[0][0], 3 / std::sqrt(26.0));
  EXPECT_DOUBLE_EQ(matrix[0][2], 1 / std::sqrt(26.0));
  EXPECT_EQ(matrix[1], (std::vector<double>{0, 0, 1})) << "an empty row gets its constant, too";
  EXPECT_DOUBLE_EQ(matrix[2][1], 2 / std::sqrt(5.0));
}

TEST(Transform, appends_a_constant_feature_of_any_value) {
  const Dataset data = table({{3, 4}, {0, 0}});
  const Transform plain = fit_transform(data, Scaling::none, 12);
  EXPECT_EQ(plain.constant_value, 12);
  EXPECT_EQ(matrix_of(apply(plain, data)), (Matrix{{3, 4, 12}, {0, 0, 12}}));
  const Matrix rows = matrix_of(apply(fit_transform(data, Scaling::rows, 12), data));
  EXPECT_DOUBLE_EQ(rows[0][2], 12.0 / 13);
  EXPECT_EQ(rows[1], (std::vector<double>{0, 0, 1}));
  EXPECT_DOUBLE_EQ(fit_transform(data, Scaling::max, 12).factor, 1.0 / 13);
  EXPECT_EQ(matrix_of(apply(fit_transform(data, Scaling::columns_max, 12), data))[1], (std::vector<double>{0, 0, 12}));
}

TEST(Transform, max_multiplies_every_entry_by_one_over_the_largest_row_norm) {
  const Dataset data = table({{3, 4}, {0, 0}, {0, 2}});
  const Transform plain = fit_transform(data, Scaling::max, without_constant);
  EXPECT_DOUBLE_EQ(plain.factor, 1.0 / 5);
  EXPECT_EQ(matrix_of(apply(plain, data)),
            (Matrix{{3 * plain.factor, 4 * plain.factor}, {0, 0}, {0, 2 * plain.factor}}));
  const Transform augmented = fit_transform(data, Scaling::max, with_constant);
  EXPECT_DOUBLE_EQ(augmented.factor, 1 / std::sqrt(26.0));
  EXPECT_EQ(matrix_of(apply(augmented, data))[1], (std::vector<double>{0, 0, augmented.factor}));
}

TEST(Transform, max_keeps_data_of_empty_rows_unchanged) {
  const Dataset data = table({{0, 0}, {0, 0}});
  EXPECT_EQ(fit_transform(data, Scaling::max, without_constant).factor, 1);
}

TEST(Transform, columns_max_scales_every_column_to_largest_absolute_value_one) {
  for (const Storage storage : {Storage::sparse, Storage::dense}) {
    const Dataset data = table(sample, storage);
    const Transform transform = fit_transform(data, Scaling::columns_max, with_constant);
    EXPECT_EQ(transform.column_factors, (std::vector<double>{1.0 / 7, 1.0 / 8, 1.0 / 4, 1, 1 / (1e6 + 1)}));
    const Matrix scaled = matrix_of(apply(transform, data));
    for (std::size_t i = 0; i < sample.size(); ++i) {
      for (std::size_t j = 0; j < 5; ++j) EXPECT_EQ(scaled[i][j], sample[i][j] * transform.column_factors[j]);
      EXPECT_EQ(scaled[i][5], 1) << "the constant feature is not scaled by column";
    }
  }
}

TEST(Transform, columns_std_divides_by_the_standard_deviation_without_centring) {
  for (const Storage storage : {Storage::sparse, Storage::dense}) {
    const Dataset data = table(sample, storage);
    const Transform transform = fit_transform(data, Scaling::columns_std, without_constant);
    ASSERT_EQ(transform.column_factors.size(), 5U);
    for (const std::size_t j : {0, 1, 4}) EXPECT_NEAR(transform.column_factors[j] * deviation(sample, j), 1, 1e-14);
    EXPECT_EQ(transform.column_factors[2], 1) << "constant column";
    EXPECT_EQ(transform.column_factors[3], 1) << "empty column";
    const Matrix scaled = matrix_of(apply(transform, data));
    for (const std::size_t j : {0, 1, 4}) EXPECT_NEAR(deviation(scaled, j), 1, 1e-9);
    EXPECT_GT(scaled[0][4], 1e5) << "the mean is still there";
  }
}

TEST(Transform, columns_std_keeps_a_constant_column_whose_mean_is_not_exact) {
  for (std::size_t n = 3; n < 60; ++n) {
    Dataset data = table(Matrix(n, {0.1, 1.0 / 3, 1e9 + 0.1}), Storage::dense);
    for (std::size_t i = 0; i < n; ++i) data.weights.push_back(0.3 + 0.1 * static_cast<double>(i % 7));
    EXPECT_EQ(fit_transform(data, Scaling::columns_std, without_constant).column_factors,
              (std::vector<double>{1, 1, 1}));
  }
}

TEST(Transform, columns_std_resolves_a_deviation_as_small_as_the_rounding_of_the_mean) {
  const double large = 4e12, step = 0x1.0p-9;  // neighbouring doubles are 2^-11 apart here
  Matrix matrix;
  for (std::size_t i = 0; i < 1001; ++i) matrix.push_back({large + (i % 2 == 1 ? step : 0)});
  const double factor = fit_transform(table(matrix), Scaling::columns_std, without_constant).column_factors[0];
  EXPECT_NEAR(factor * step * std::sqrt(500.0 * 501.0) / 1001, 1, 1e-12);
}

TEST(Transform, keeps_columns_that_no_finite_factor_can_scale) {
  EXPECT_EQ(fit_transform(table({{1e-310}, {0}}), Scaling::columns_max, without_constant).column_factors[0], 1);
  EXPECT_EQ(fit_transform(table({{1e200}, {0}}), Scaling::columns_std, without_constant).column_factors[0], 1);
  EXPECT_EQ(fit_transform(table({{1.7e308, 1.7e308}}), Scaling::max, without_constant).factor, 1);
}

TEST(Transform, columns_std_does_not_treat_a_column_of_ones_and_zeros_as_constant) {
  const Dataset data = table({{1, 0}, {1, 1}, {1, 1}, {0, 1}}, Storage::sparse, Zeros::explicit_entries);
  for (const double factor : fit_transform(data, Scaling::columns_std, without_constant).column_factors)
    EXPECT_DOUBLE_EQ(factor, 4 / std::sqrt(3.0));
}

TEST(Transform, columns_std_treats_weight_two_as_the_row_twice) {
  Rng rng(5);
  Matrix once(40, std::vector<double>(6)), repeated;
  std::vector<double> weights;
  for (auto& row : once) {
    for (double& value : row)
      if (rng.uniform() < 0.5) value = rng.uniform() * 10 - 3;
    weights.push_back(1 + rng.below(3));
    repeated.insert(repeated.end(), static_cast<std::size_t>(weights.back()), row);
  }
  Dataset weighted = table(once);
  const auto unweighted_factors = fit_transform(weighted, Scaling::columns_std, without_constant).column_factors;
  weighted.weights = weights;
  const auto factors = fit_transform(weighted, Scaling::columns_std, without_constant).column_factors;
  const auto expected = fit_transform(table(repeated), Scaling::columns_std, without_constant).column_factors;
  for (std::size_t j = 0; j < 6; ++j) {
    EXPECT_NEAR(factors[j] / expected[j], 1, 1e-14);
    EXPECT_GT(std::abs(factors[j] / unweighted_factors[j] - 1), 1e-4) << "the weights must change the result";
  }
}

TEST(Transform, keeps_labels_weights_names_and_the_meaning_of_nnz) {
  Dataset data = table({{3, 0}, {0, 0}, {0, 2}}, Storage::sparse, Zeros::explicit_entries);
  data.labels = {1, -1, 2};
  data.weights = {1, 2, 3};
  data.feature_names = {"age", "height"};
  data.source = "people.csv";
  const Dataset scaled = apply(fit_transform(data, Scaling::rows, with_constant), data);
  EXPECT_EQ(scaled.labels, data.labels);
  EXPECT_EQ(scaled.weights, data.weights);
  EXPECT_EQ(scaled.feature_names, data.feature_names);
  EXPECT_EQ(scaled.source, "people.csv");
  EXPECT_EQ(scaled.nnz, 6U + 3U) << "six given by the file, zeros included, and three constants";
}

TEST(Transform, gives_the_same_rows_from_every_storage) {
  const Dataset data = table(sample);
  for (const Scaling scaling : {Scaling::rows, Scaling::max, Scaling::columns_max, Scaling::columns_std}) {
    const Matrix expected = matrix_of(apply(fit_transform(data, scaling, with_constant), data));
    for (const Storage storage : all_storages) {
      const Dataset stored = table(sample, storage);  // float holds these values exactly
      EXPECT_EQ(matrix_of(apply(fit_transform(stored, scaling, with_constant), stored)), expected);
    }
  }
}

TEST(Transform, stores_float_on_request) {
  const Dataset data = table(sample, Storage::dense);
  const Transform transform = fit_transform(data, Scaling::rows, without_constant);
  const Dataset exact = apply(transform, data), single = apply(transform, data, Precision::single);
  EXPECT_FALSE(exact.single_precision());
  ASSERT_TRUE(single.single_precision());
  const Matrix wanted = matrix_of(exact), stored = matrix_of(single);
  for (std::size_t i = 0; i < sample.size(); ++i)
    for (std::size_t j = 0; j < 5; ++j) EXPECT_EQ(stored[i][j], static_cast<float>(wanted[i][j]));
}

TEST(Transform, applies_what_was_fitted_on_other_data) {
  const Dataset train = table({{2, 1}, {-4, 0}}), test = table({{8, 8}});
  EXPECT_EQ(matrix_of(apply(fit_transform(train, Scaling::columns_max, with_constant), test)), (Matrix{{2, 8, 1}}));
}

TEST(Transform, refuses_data_of_another_width_than_its_column_factors) {
  const Transform transform = fit_transform(table({{2, 1}, {-4, 0}}), Scaling::columns_max, without_constant);
  EXPECT_THROW(apply(transform, table({{1, 2, 3}})), Error);
  EXPECT_THROW(apply(transform, table({{1}})), Error);
}

}  // namespace transform_test
}  // namespace seesaw
