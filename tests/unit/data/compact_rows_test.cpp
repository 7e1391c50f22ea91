#include "data/compact_rows.h"

#include <gtest/gtest.h>

#include "support/problems.h"

namespace seesaw {
namespace compact_rows_test {

using test::Matrix;
using Compact = SparseRows<float, std::uint16_t>;

// Thirds are not representable as float.
Matrix thirds(std::size_t n, std::size_t d) {
  Matrix matrix = test::random_matrix(n, d, 5);
  for (auto& row : matrix)
    for (double& value : row) value /= 3;
  return matrix;
}

TEST(CompactRows, hold_the_same_entries_to_the_precision_of_a_float) {
  const Matrix matrix = thirds(40, 9);
  for (const test::Storage storage : {test::Storage::sparse, test::Storage::dense}) {
    const Dataset data = test::table(matrix, storage);
    const auto compact = compact_copy(data.rows);
    ASSERT_TRUE(compact);
    EXPECT_FALSE(compact->exact);
    EXPECT_EQ(std::holds_alternative<Compact>(compact->rows), storage == test::Storage::sparse);
    std::visit(
        [&](const auto& rows) {
          ASSERT_EQ(rows.count(), 40u);
          EXPECT_EQ(rows.width(), 9u);
          for (std::size_t i = 0; i < 40; ++i) {
            std::vector<double> copy(9);
            for_each(rows.row(i), [&](std::size_t j, double value) { copy[j] = value; });
            for (std::size_t j = 0; j < 9; ++j) EXPECT_EQ(copy[j], double(float(matrix[i][j]))) << i << ' ' << j;
          }
        },
        compact->rows);
  }
}

TEST(CompactRows, report_whether_values_were_rounded) {
  for (const test::Storage storage : {test::Storage::sparse, test::Storage::sparse_float, test::Storage::dense}) {
    const auto compact = compact_copy(test::random_data(30, 7, Target::sign, 2, storage).rows);
    ASSERT_TRUE(compact);
    EXPECT_TRUE(compact->exact);
  }
}

TEST(CompactRows, multiply_bitwise_as_the_rows_if_exact) {
  const Dataset data = test::random_data(60, 31, Target::sign, 4);
  const auto compact = compact_copy(data.rows);
  ASSERT_TRUE(compact);
  Rng rng(3);
  std::vector<double> x(31);
  for (double& xj : x) xj = rng.normal();
  for (std::size_t i = 0; i < 60; ++i) {
    const auto narrow = std::get<Compact>(compact->rows).row(i);
    const auto wide = std::get<SparseRows<double>>(data.rows).row(i);
    EXPECT_EQ(dot(narrow, x.data()), dot(wide, x.data()));
    std::vector<double> a = x, b = x;
    add_to(a.data(), 0.3, narrow);
    add_to(b.data(), 0.3, wide);
    EXPECT_EQ(a, b);
  }
}

TEST(CompactRows, are_refused_beyond_the_range_of_floats) {
  for (const double value : {1e39, -1e300, 1e-40, 5e-324}) {
    EXPECT_FALSE(compact_copy(test::table({{1, 2}, {value, 3}}).rows)) << value;
    EXPECT_FALSE(compact_copy(test::table({{1, 2}, {value, 3}}, test::Storage::dense).rows)) << value;
  }
}

TEST(CompactRows, have_columns_of_16_bits_up_to_the_last_that_fits) {
  const std::vector<std::uint64_t> offsets = {0, 2};
  const std::vector<double> values = {1, 2};
  for (const std::uint32_t width : {65536u, 65537u}) {
    const std::vector<std::uint32_t> columns = {0, width - 1};
    const auto compact = compact_copy(SparseRows<double>(width, offsets, columns, values, nullptr));
    ASSERT_TRUE(compact);
    EXPECT_EQ(std::holds_alternative<Compact>(compact->rows), width == 65536);
    std::visit(
        [&](const auto& rows) {
          std::vector<double> x(width);
          add_to(x.data(), 1, rows.row(0));
          EXPECT_EQ(x[0], 1);
          EXPECT_EQ(x[width - 1], 2);
        },
        compact->rows);
  }
}

TEST(CompactRows, are_not_made_from_compact_rows) {
  EXPECT_FALSE(compact_copy(test::table({{1, 2}}, test::Storage::dense_float).rows));
  const std::vector<std::uint64_t> offsets = {0, 1};
  const std::vector<std::uint32_t> columns = {70000};
  const std::vector<float> values = {1};
  EXPECT_FALSE(compact_copy(SparseRows<float>(70001, offsets, columns, values, nullptr)));
}

}  // namespace compact_rows_test
}  // namespace seesaw
