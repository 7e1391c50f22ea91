// Rows that a transform rewrites in place: the same rows as a copy, for every storage, and the arrays of others untouched.
#include "data/transformed_rows.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <set>

#include "support/table.h"

namespace seesaw {
namespace transformed_rows_test {

using test::Matrix;
using test::matrix_of;

constexpr Scaling scalings[] = {Scaling::none, Scaling::rows, Scaling::max, Scaling::columns_max, Scaling::columns_std};
constexpr double constants[] = {0, 2, 0.1};  // none; a float; not a float

// Of every `gap`-th column a value, on average; rows 0, 7, 14 ... are empty if that leaves gaps.
Matrix matrix(std::size_t width, std::size_t gap, bool floats) {
  Matrix rows(300, std::vector<double>(width));
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (std::size_t j = 0; j < width; ++j)
      if (gap == 1 || (i % 7 != 0 && (i * i + 3 * j) % gap == 0))
        rows[i][j] = floats ? 1 + static_cast<double>((i + j) % 16) / 8
                            : 0.3 * static_cast<double>(i + 1) - 7.1 * static_cast<double>(j);
  return rows;
}

std::vector<Matrix> matrices() {
  std::vector<Matrix> all;
  for (const bool floats : {true, false}) {
    all.push_back(matrix(40, 9, floats));  // sparse
    all.push_back(matrix(6, 1, floats));   // dense
    all.push_back(matrix(10, 2, floats));  // dense as float, sparse as double
    Matrix zeros = matrix(6, 1, floats);   // dense with some zeros
    for (std::size_t i = 0; i < zeros.size(); i += 3) zeros[i][i % 6] = 0;
    all.push_back(zeros);
    for (std::size_t i = 0; i < zeros.size(); i += 6) zeros[i][i % 6] = -0.0;
    all.push_back(zeros);
  }
  return all;
}

// As a reader makes them: in the storage that RowsBuilder selects, with arrays of their own.
Dataset read(const Matrix& rows, bool as_given = false) {
  RowsBuilder builder;
  RowEntries entries;
  for (const auto& row : rows) {
    entries.take(DenseRow<double>{row.data(), row.size()}, as_given);
    builder.add_row(entries);
  }
  return {.rows = std::move(builder).finish(rows[0].size(), Precision::exact),
          .labels = std::vector<double>(rows.size(), 1.0)};
}

template <class Number>
bool same_bytes(std::span<const Number> a, std::span<const Number> b) {
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size_bytes()) == 0);
}

void expect_same_bytes(const Rows& a, const Rows& b) {
  ASSERT_EQ(a.index(), b.index());
  std::visit(
      [&]<class RowsOf>(const RowsOf& rows) {
        const auto& other = std::get<RowsOf>(b);
        EXPECT_EQ(rows.width(), other.width());
        EXPECT_EQ(rows.count(), other.count());
        EXPECT_TRUE(same_bytes(rows.values(), other.values()));
        if constexpr (requires { rows.columns(); }) {
          EXPECT_TRUE(same_bytes(rows.columns(), other.columns()));
          EXPECT_TRUE(same_bytes(rows.offsets(), other.offsets()));
        }
      },
      a);
}

std::size_t entries_of(const Dataset& data) {
  return std::visit([](const auto& rows) { return rows.entries(); }, data.rows);
}

// The definition, entry by entry.
Dataset transformed(const Transform& transform, const Matrix& rows) {
  RowsBuilder builder;
  for (const auto& row : rows) {
    RowEntries entries;
    entries.take(DenseRow<double>{row.data(), row.size()});
    if (transform.constant_feature) entries.push(row.size(), transform.constant_value);
    long double squares = 0;
    for (const double value : entries.values) squares += static_cast<long double>(value) * value;
    for (std::size_t k = 0; k < entries.values.size(); ++k) {
      double& value = entries.values[k];
      if (transform.scaling == Scaling::max) value *= transform.factor;
      if (transform.scaling == Scaling::rows) value /= static_cast<double>(std::sqrt(squares));
      if (!transform.column_factors.empty() && entries.columns[k] < row.size())
        value *= transform.column_factors[entries.columns[k]];
    }
    builder.add_row(entries);
  }
  return {.rows = std::move(builder).finish(rows[0].size() + transform.constant_feature, Precision::exact),
          .labels = std::vector<double>(rows.size(), 1.0)};
}

TEST(TransformedRows, are_those_of_the_definition_in_the_storage_of_the_builder) {
  std::set<std::size_t> storages;
  for (const Matrix& rows : matrices())
    for (const Scaling scaling : scalings)
      for (const double constant : constants) {
        if (scaling == Scaling::none && constant == 0) continue;
        const Dataset data = read(rows);
        const Transform transform = fit_transform(data, scaling, constant);
        const Dataset found = apply(transform, data), expected = transformed(transform, rows);
        if (data.dense() || constant != 0) EXPECT_EQ(found.rows.index(), expected.rows.index());
        else EXPECT_FALSE(found.dense()) << "sparse rows keep their pattern";
        storages.insert(4 * data.rows.index() + found.rows.index());
        const Matrix a = matrix_of(found), b = matrix_of(expected);
        for (std::size_t i = 0; i < a.size(); ++i)
          for (std::size_t j = 0; j < a[i].size(); ++j) {
            if (scaling == Scaling::rows) ASSERT_DOUBLE_EQ(a[i][j], b[i][j]) << i << " " << j;
            else ASSERT_EQ(a[i][j], b[i][j]) << i << " " << j;
          }
      }
  EXPECT_GE(storages.size(), 6u) << "changes of storage: sparse to dense and back, float to double";
}

TEST(TransformedRows, in_place_have_the_bytes_of_a_copy) {
  std::size_t taken = 0, all = 0;
  for (const Matrix& rows : matrices())
    for (const Scaling scaling : scalings)
      for (const double constant : constants)
        for (const bool as_given : {false, true}) {  // with explicit zeros
          if (scaling == Scaling::none && constant == 0) continue;
          const Dataset data = read(rows, as_given);
          const Transform transform = fit_transform(data, scaling, constant);
          const Dataset copy = apply(transform, data);
          const std::size_t entries = entries_of(data);
          Dataset own = read(rows, as_given);
          const Dataset result = apply_taking_rows(transform, own);
          expect_same_bytes(result.rows, copy.rows);
          EXPECT_EQ(result.leaves().count(), copy.leaves().count());
          EXPECT_EQ(own.n(), data.n());
          EXPECT_EQ(own.d(), data.d());
          EXPECT_EQ(own.all_rows(), data.all_rows());
          EXPECT_EQ(own.rows.index(), data.rows.index());
          EXPECT_TRUE(entries_of(own) == 0 || entries_of(own) == entries);
          taken += entries_of(own) == 0;
          ++all;
        }
  EXPECT_GT(taken, all / 2);
}

TEST(TransformedRows, of_arrays_that_others_use_are_a_copy) {
  for (const Matrix& rows : matrices())
    for (const Scaling scaling : scalings)
      for (const double constant : constants) {
        if (scaling == Scaling::none && constant == 0) continue;
        Dataset data = read(rows);
        const Dataset other = data, untouched = read(rows);  // `other` shares the arrays
        const Transform transform = fit_transform(data, scaling, constant);
        const Dataset result = apply_taking_rows(transform, data);
        expect_same_bytes(other.rows, untouched.rows);
        expect_same_bytes(data.rows, untouched.rows);

        for (const test::Storage storage : test::all_storages) {  // arrays of a caller, which only the owner may change
          Dataset given = test::table(rows, storage);
          const Dataset same = test::table(rows, storage);
          const Dataset copy = apply_taking_rows(transform, given);
          expect_same_bytes(given.rows, same.rows);
        }
      }
}

TEST(TransformedRows, of_the_identity_are_the_rows_themselves) {
  Dataset data = read(matrix(40, 9, false));
  const Dataset same = apply_taking_rows({}, data);
  expect_same_bytes(same.rows, data.rows);
  EXPECT_GT(entries_of(data), 0u);
}

}  // namespace transformed_rows_test
}  // namespace seesaw
