#include "data/rows_builder.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "base/rng.h"
#include "seesaw/error.h"

namespace seesaw {
namespace rows_builder_test {

using Columns = std::vector<std::uint32_t>;
using Values = std::vector<double>;

// The rows as dense rows, for any storage.
std::vector<Values> full(const Rows& rows) {
  std::vector<Values> result;
  std::visit(
      [&](const auto& r) {
        for (std::size_t i = 0; i < r.count(); ++i) {
          result.emplace_back(r.width());
          for_each(r.row(i), [&](std::size_t j, double value) { result.back()[j] = value; });
        }
      },
      rows);
  return result;
}

Rows finish(RowsBuilder& builder, std::size_t width = 0, Precision precision = Precision::exact) {
  return std::move(builder).finish(width, precision);
}

TEST(RowsBuilder, keeps_rows_in_order) {
  RowsBuilder builder;
  builder.add_row(Columns{1, 9}, Values{0.1, 2});
  builder.add_row({}, {});
  builder.add_row(Columns{0}, Values{3});
  EXPECT_EQ(builder.rows(), 3u);
  EXPECT_EQ(builder.entries(), 3u);
  const Rows rows = finish(builder);
  ASSERT_TRUE(std::holds_alternative<SparseRows<double>>(rows));
  const auto& sparse = std::get<SparseRows<double>>(rows);
  EXPECT_EQ(sparse.count(), 3u);
  EXPECT_EQ(sparse.width(), 10u);
  EXPECT_EQ(sparse.entries(1), 0u);
  EXPECT_EQ(full(rows),
            (std::vector<Values>{{0, 0.1, 0, 0, 0, 0, 0, 0, 0, 2}, Values(10), {3, 0, 0, 0, 0, 0, 0, 0, 0, 0}}));
}

TEST(RowsBuilder, takes_many_rows_at_once) {
  RowsBuilder one_by_one, at_once;
  one_by_one.add_row(Columns{7}, Values{1});
  one_by_one.add_row({}, {});
  one_by_one.add_row(Columns{0, 3}, Values{2, 3});
  at_once.add_rows(Columns{1, 0, 2}, Columns{7, 0, 3}, Values{1, 2, 3});
  EXPECT_EQ(full(finish(one_by_one)), full(finish(at_once)));
}

TEST(RowsBuilder, stores_float_if_exact) {
  RowsBuilder builder;
  builder.add_row(Columns{0, 99}, Values{0.5, -1e10});
  EXPECT_TRUE(std::holds_alternative<SparseRows<float>>(finish(builder)));
}

TEST(RowsBuilder, stores_double_from_the_first_value_that_needs_it) {
  RowsBuilder builder;
  Values expected;
  for (int i = 0; i < 30000; ++i) {
    expected.push_back(i);
    builder.add_row(Columns{4}, Values{expected.back()});
  }
  expected.push_back(0.1);
  builder.add_row(Columns{4}, Values{0.1});
  expected.push_back(7);
  builder.add_row(Columns{4}, Values{7});
  const Rows rows = finish(builder);
  ASSERT_TRUE(std::holds_alternative<SparseRows<double>>(rows));
  const auto values = std::get<SparseRows<double>>(rows).values();
  EXPECT_EQ(Values(values.begin(), values.end()), expected);
}

TEST(RowsBuilder, does_not_treat_overflow_to_infinity_as_exact) {
  RowsBuilder builder;
  builder.add_row(Columns{9}, Values{1e300});
  EXPECT_EQ(full(finish(builder))[0][9], 1e300);
}

TEST(RowsBuilder, rounds_to_float_on_request) {
  for (const Precision from_the_start : {Precision::exact, Precision::single}) {
    RowsBuilder builder(from_the_start);
    for (int i = 0; i < 10000; ++i) builder.add_row(Columns{5}, Values{0.1 * i});
    const Rows rows = finish(builder, 0, Precision::single);
    ASSERT_TRUE(std::holds_alternative<SparseRows<float>>(rows));
    const auto values = std::get<SparseRows<float>>(rows).values();
    for (int i = 0; i < 10000; ++i) ASSERT_EQ(values[i], static_cast<float>(0.1 * i));
  }
}

TEST(RowsBuilder, refuses_single_precision_for_values_beyond_it) {
  RowsBuilder at_the_end;
  at_the_end.add_row(Columns{0}, Values{1e39});
  EXPECT_THROW(finish(at_the_end, 0, Precision::single), Error);
  RowsBuilder at_once(Precision::single);
  EXPECT_THROW(at_once.add_row(Columns{0}, Values{1e39}), Error);
}

TEST(RowsBuilder, stores_dense_if_that_needs_no_more_bytes) {
  // Width 4 in float: 16 bytes per row; two entries need 16, one needs 8.
  RowsBuilder enough;
  enough.add_row(Columns{0, 3}, Values{1, 2});
  EXPECT_TRUE(std::holds_alternative<DenseRows<float>>(finish(enough)));
  RowsBuilder too_few;
  too_few.add_rows(Columns{2, 1}, Columns{0, 3, 3}, Values{1, 2, 3});
  EXPECT_TRUE(std::holds_alternative<SparseRows<float>>(finish(too_few)));
  // Width 3 in double: 24 bytes per row; two entries need 24.
  RowsBuilder doubles;
  doubles.add_row(Columns{0, 2}, Values{0.1, 0.2});
  EXPECT_TRUE(std::holds_alternative<DenseRows<double>>(finish(doubles)));
}

TEST(RowsBuilder, fills_dense_rows_of_many_pages) {
  Rng rng(2);
  constexpr std::size_t n = 2000, d = 300;
  std::vector<Values> expected(n, Values(d));
  RowsBuilder builder;
  for (auto& row : expected) {
    Columns columns;
    Values values;
    for (std::uint32_t j = 0; j < d; ++j)
      if (rng.below(10) > 0) {
        columns.push_back(j);
        values.push_back(row[j] = rng.normal());
      }
    builder.add_row(columns, values);
  }
  const Rows rows = finish(builder);
  ASSERT_TRUE(std::holds_alternative<DenseRows<double>>(rows));
  EXPECT_EQ(full(rows), expected);
}

TEST(RowsBuilder, keeps_full_rows_dense) {
  RowsBuilder builder;
  for (int i = 0; i < 100; ++i) builder.add_rows(Columns{2, 2}, Columns{0, 1, 0, 1}, Values{0.1, 1. * i, 0.2, 2. * i});
  EXPECT_EQ(builder.rows(), 200u);
  EXPECT_EQ(builder.entries(), 400u);
  const Rows rows = finish(builder);
  ASSERT_TRUE(std::holds_alternative<DenseRows<double>>(rows));
  EXPECT_EQ(full(rows)[199], (Values{0.2, 198}));
}

TEST(RowsBuilder, keeps_full_rows_if_a_sparse_one_follows) {
  const std::vector<std::pair<Columns, Values>> others = {{{}, {}},
                                                          {{0}, {7}},
                                                          {{1}, {7}},
                                                          {{0, 2}, {7, 8}},
                                                          {{1, 2}, {7, 8}},
                                                          {{0, 1, 2}, {7, 8, 9}},
                                                          {{0, 1, 40}, {7, 8, 9}}};
  for (const auto& [columns, values] : others) {
    RowsBuilder builder;
    for (int i = 0; i < 3; ++i) builder.add_row(Columns{0, 1}, Values{1. + i, 2. + i});
    builder.add_row(columns, values);
    builder.add_row(Columns{0, 1}, Values{5, 6});
    EXPECT_EQ(builder.entries(), 8 + columns.size());
    const std::vector<Values> matrix = full(finish(builder, 41));
    Values expected(41);
    for (std::size_t k = 0; k < columns.size(); ++k) expected[columns[k]] = values[k];
    EXPECT_EQ(matrix[3], expected);
    EXPECT_EQ(matrix[2][0], 3);
    EXPECT_EQ(matrix[2][1], 4);
    EXPECT_EQ(matrix[4][0], 5);
    EXPECT_EQ(matrix[4][1], 6);
  }
}

TEST(RowsBuilder, makes_full_rows_sparse_if_the_requested_width_is_large) {
  RowsBuilder builder;
  builder.add_rows(Columns{2, 2}, Columns{0, 1, 0, 1}, Values{1, 2, 3, 4});
  const Rows rows = finish(builder, 100);
  ASSERT_TRUE(std::holds_alternative<SparseRows<float>>(rows));
  EXPECT_EQ(full(rows)[1][1], 4);
}

// Products of second-order methods lost an entry of a column that occurs twice, a different one for each number of threads.
TEST(RowsBuilder, refuses_columns_that_do_not_increase_strictly) {
  for (const Columns& wrong : {Columns{2, 2}, Columns{0, 1, 4, 3}, Columns{5, 0}}) {
    RowsBuilder builder;
    builder.add_row(Columns{0, 1}, Values{1, 2});
    try {
      builder.add_row(wrong, Values(wrong.size(), 1.0));
      FAIL() << "accepted";
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find("row 1: column"), std::string::npos) << error.what();
    }
    EXPECT_EQ(builder.rows(), 1u) << "nothing of the row is added";
  }
  RowsBuilder many;
  EXPECT_THROW(many.add_rows(Columns{2, 0, 2}, Columns{7, 9, 3, 3}, Values{1, 2, 3, 4}), Error);
  many.add_rows(Columns{2, 0, 2}, Columns{7, 9, 3, 9}, Values{1, 2, 3, 4});
  EXPECT_EQ(many.rows(), 3u);
}

TEST(RowsBuilder, has_the_requested_width) {
  RowsBuilder builder;
  builder.add_row(Columns{2}, Values{1});
  EXPECT_EQ(full(finish(builder, 6)), (std::vector<Values>{{0, 0, 1, 0, 0, 0}}));
}

TEST(RowsBuilder, refuses_to_be_narrower_than_its_entries) {
  RowsBuilder builder;
  builder.add_row(Columns{2}, Values{1});
  EXPECT_THROW(finish(builder, 2), Error);
}

TEST(RowsBuilder, does_not_overflow_with_the_widest_rows) {
  RowsBuilder builder;
  builder.add_row(Columns{0xfffffffe}, Values{1});
  builder.add_row({}, {});
  const Rows rows = finish(builder);
  ASSERT_TRUE(std::holds_alternative<SparseRows<float>>(rows));
  EXPECT_EQ(std::get<SparseRows<float>>(rows).width(), 0xffffffffu);
}

TEST(RowsBuilder, has_no_columns_if_no_row_has_entries) {
  RowsBuilder builder;
  builder.add_row({}, {});
  const Rows rows = finish(builder);
  ASSERT_TRUE(std::holds_alternative<SparseRows<float>>(rows));
  EXPECT_EQ(std::get<SparseRows<float>>(rows).width(), 0u);
  EXPECT_EQ(std::get<SparseRows<float>>(rows).count(), 1u);
}

TEST(RowsBuilder, returns_rows_that_outlive_it) {
  Rows copy = [] {
    RowsBuilder builder;
    builder.add_row(Columns{1, 50}, Values{1, 2});
    return finish(builder);
  }();
  const Rows other = copy;
  copy = Rows(other);
  EXPECT_EQ(full(other)[0][50], 2);
}

}  // namespace rows_builder_test
}  // namespace seesaw
