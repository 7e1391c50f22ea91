// Kernels against the sequence of operations stated in their header, bitwise, at every level that this machine supports.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <vector>

#include "base/rng.h"
#include "base/scalar.h"
#include "kernels/at_level.h"
#include "kernels/dense.h"

namespace seesaw {
namespace levels_test {

std::vector<const Kernels*> levels() {
  std::vector<const Kernels*> all;
  for (const Isa isa : {Isa::baseline, Isa::avx2, Isa::avx512})
    if (available(isa)) all.push_back(&kernels_of(isa));
  return all;
}

std::vector<double> random_numbers(std::size_t count, std::uint64_t seed) {
  Rng rng(seed);
  std::vector<double> numbers(count);
  for (double& number : numbers) number = rng.normal();
  return numbers;
}

TEST(Levels, have_names_and_report_errors) {
  EXPECT_TRUE(available(Isa::baseline));
  EXPECT_TRUE(available(isa_in_use()));
  for (const Kernels* level : levels()) EXPECT_EQ(&kernels_of(level->isa), level);
  EXPECT_STREQ(name_of(Isa::avx512), "avx512");
}

TEST(Levels, are_bitwise_equal_to_plain_loops_over_dense_rows) {
  for (std::size_t size = 0; size < 90; ++size) {
    const std::vector<double> a = random_numbers(size, 1 + size), x = random_numbers(size, 1000 + size);
    std::vector<float> rounded(a.begin(), a.end());
    double s[8] = {}, f[8] = {}, soft[8] = {}, soft_f[8] = {};
    std::vector<double> sum = x, sum_f = x;
    for (std::size_t j = 0; j < size; ++j) {
      const std::size_t lane = j < size / 8 * 8 ? j % 8 : 0;
      const double of_float = static_cast<double>(rounded[j]), t = soft_threshold(x[j], 0.3);
      s[lane] += a[j] * x[j];
      f[lane] += of_float * x[j];
      soft[lane] += a[j] * t;
      soft_f[lane] += of_float * t;
      sum[j] += 0.7 * a[j];
      sum_f[j] += 0.7 * of_float;
    }
    const auto joined = [](const double* v) {
      return ((v[0] + v[1]) + (v[2] + v[3])) + ((v[4] + v[5]) + (v[6] + v[7]));
    };
    for (const Kernels* level : levels()) {
      const char* name = name_of(level->isa);
      EXPECT_EQ(level->dot_double(a.data(), x.data(), size), joined(s)) << name << size;
      EXPECT_EQ(level->dot_float(rounded.data(), x.data(), size), joined(f)) << name << size;
      EXPECT_EQ(level->dot_soft_double(a.data(), x.data(), size, 0.3), joined(soft)) << name << size;
      EXPECT_EQ(level->dot_soft_float(rounded.data(), x.data(), size, 0.3), joined(soft_f)) << name << size;
      std::vector<double> to = x, to_f = x;
      level->add_double(to.data(), 0.7, a.data(), size);
      level->add_float(to_f.data(), 0.7, rounded.data(), size);
      EXPECT_EQ(to, sum) << name << size;
      EXPECT_EQ(to_f, sum_f) << name << size;
    }
  }
}

// The stated order: blocks of product_depth, a fused sum in each, added to C.
void expect_product(std::size_t rows, std::size_t columns, std::size_t depth, bool a_by_columns, bool b_by_columns,
                    bool subtract, bool lower) {
  const std::vector<double> a = random_numbers(rows * depth, 1), b = random_numbers(depth * columns, 2),
                            c = random_numbers(rows * columns, 3);
  Product product{rows,
                  columns,
                  depth,
                  a.data(),
                  a_by_columns ? 1 : depth,
                  a_by_columns ? rows : 1,
                  b.data(),
                  b_by_columns ? 1 : columns,
                  b_by_columns ? depth : 1,
                  nullptr,
                  rows,
                  subtract,
                  lower};
  std::vector<double> truth = c;
  for (std::size_t j = 0; j < columns; ++j)
    for (std::size_t i = lower ? j : 0; i < rows; ++i)
      for (std::size_t from = 0; from < depth; from += product_depth) {
        double s = 0;
        for (std::size_t k = from; k < std::min(depth, from + product_depth); ++k)
          s = std::fma(a[i * product.a_row + k * product.a_column], b[k * product.b_row + j * product.b_column], s);
        truth[i + j * rows] = subtract ? truth[i + j * rows] - s : truth[i + j * rows] + s;
      }
  std::vector<double> workspace(product_workspace);
  for (const Kernels* level : levels()) {
    std::vector<double> result = c;
    product.c = result.data();
    level->multiply(product, workspace.data());
    EXPECT_EQ(result, truth) << name_of(level->isa) << ' ' << rows << 'x' << columns << 'x' << depth;
  }
}

TEST(Levels, multiply_in_the_stated_order) {
  for (const std::size_t rows : {1u, 2u, 5u, 12u, 13u, 24u, 30u, 50u})
    for (const std::size_t columns : {1u, 3u, 4u, 8u, 9u, 17u})
      for (const bool by_columns : {false, true}) {
        expect_product(rows, columns, 7, by_columns, true, false, false);
        expect_product(rows, columns, 7, true, by_columns, true, false);
      }
  for (const std::size_t size : {1u, 7u, 12u, 25u, 61u, 200u}) expect_product(size, size, 20, true, false, true, true);
  expect_product(30, 30, 600, true, false, false, true);   // three blocks
  expect_product(400, 5, 3, true, true, false, false);     // three blocks of rows
  expect_product(3, 1600, 2, true, true, false, false);    // two of columns
  expect_product(1600, 1600, 1, true, false, true, true);  // both
  expect_product(5, 5, 0, true, true, false, false);
}

// A by itself: A is read in place, packed once, or has too many rows for that; and A t. The arrays end with the last number.
TEST(Levels, multiply_by_itself_and_by_one_column_in_the_stated_order) {
  const auto expect = [](std::size_t rows, std::size_t depth, bool by_columns, bool subtract) {
    const std::vector<double> a = random_numbers(rows * depth, 1), t = random_numbers(depth, 2);
    const std::size_t a_row = by_columns ? 1 : depth, a_column = by_columns ? rows : 1;
    std::vector<double> square = random_numbers(rows * rows, 3), column = random_numbers(rows, 4);
    const std::vector<double> square_before = square, column_before = column;
    for (std::size_t from = 0; from < depth; from += product_depth)
      for (std::size_t i = 0; i < rows; ++i) {
        const auto sum = [&](const auto& other) {
          double s = 0;
          for (std::size_t k = from; k < std::min(depth, from + product_depth); ++k)
            s = std::fma(a[i * a_row + k * a_column], other(k), s);
          return s;
        };
        column[i] += sum([&](std::size_t k) { return t[k]; });
        for (std::size_t j = 0; j <= i; ++j) {
          const double s = sum([&](std::size_t k) { return a[j * a_row + k * a_column]; });
          square[i + j * rows] += subtract ? -s : s;
        }
      }
    std::vector<double> workspace(product_workspace);
    for (const Kernels* level : levels()) {
      std::vector<double> of_square = square_before, of_column = column_before;
      level->multiply({rows, rows, depth, a.data(), a_row, a_column, a.data(), a_column, a_row, of_square.data(), rows,
                       subtract, true},
                      workspace.data());
      EXPECT_EQ(of_square, square) << name_of(level->isa) << ' ' << rows << 'x' << depth;
      level->multiply({rows, 1, depth, a.data(), a_row, a_column, t.data(), 1, 0, of_column.data(), rows},
                      workspace.data());
      EXPECT_EQ(of_column, column) << name_of(level->isa) << ' ' << rows << 'x' << depth;
    }
  };
  for (std::size_t rows = 1; rows <= 70; ++rows)
    for (const std::size_t depth : {63u, 64u, 257u}) expect(rows, depth, true, rows % 2 == 0);
  for (const std::size_t rows : {1u, 9u, 33u, 100u}) {
    expect(rows, 100, false, false);
    expect(rows, 1300, true, false);  // five blocks
  }
  expect(200, 300, true, true);
  expect(600, 70, true, false);
}

TEST(Levels, factor_and_solve_with_the_same_bits) {
  for (const std::size_t size : {1u, 2u, 15u, 16u, 17u, 40u, 130u, 400u}) {
    const std::vector<double> w = random_numbers(size * (size + 10), size), right = random_numbers(size, 9);
    std::vector<double> h(size * size);
    add_gram(w.data(), size, size + 10, h.data(), size);
    std::vector<double> workspace(product_workspace), first, first_x;
    for (const Kernels* level : levels()) {
      std::vector<double> l = h, x = right;
      ASSERT_TRUE(level->cholesky(l.data(), size, size, workspace.data(), nullptr)) << size;
      level->solve_lower(l.data(), size, size, x.data());
      level->solve_upper(l.data(), size, size, x.data());
      if (first.empty()) first = l, first_x = x;
      EXPECT_EQ(l, first) << name_of(level->isa) << size;
      EXPECT_EQ(x, first_x) << name_of(level->isa) << size;
    }
    for (std::size_t j = 0; j < size; ++j) {  // L L^T = H
      const std::size_t i = (j * 7) % (size - j) + j;
      long double sum = 0, scale = std::sqrt(static_cast<long double>(h[i + i * size]) * h[j + j * size]);
      for (std::size_t k = 0; k <= j; ++k) sum += static_cast<long double>(first[i + k * size]) * first[j + k * size];
      EXPECT_LT(std::abs(sum - h[i + j * size]), 1e-15L * static_cast<long double>(size + 4) * scale);
    }
    double residual = 0, norm = 0;  // H x = b
    for (std::size_t i = 0; i < size; ++i) {
      long double sum = 0;
      for (std::size_t j = 0; j < size; ++j) {
        const double hij = i >= j ? h[i + j * size] : h[j + i * size];
        sum += static_cast<long double>(hij) * first_x[j];
        norm += std::abs(hij * first_x[j]);
      }
      residual = std::max(residual, static_cast<double>(std::abs(sum - right[i])));
    }
    EXPECT_LT(residual, 1e-15 * norm) << size;
  }
}

TEST(Levels, refuse_a_matrix_that_is_not_positive_definite) {
  std::vector<double> workspace(product_workspace);
  for (const Kernels* level : levels())
    for (const std::size_t size : {1u, 20u, 400u})
      for (const double pivot : {0.0, -1.0, std::nan("")}) {
        std::vector<double> h(size * size);
        for (std::size_t j = 0; j < size; ++j) h[j + j * size] = 1;
        h[size * size - 1] = pivot;
        EXPECT_FALSE(level->cholesky(h.data(), size, size, workspace.data(), nullptr))
            << name_of(level->isa) << size << pivot;
      }
}

int polls = 0;

TEST(Levels, stop_in_the_middle_of_a_factor) {
  const std::size_t size = 1000;
  std::vector<double> workspace(product_workspace), identity(size * size);
  for (std::size_t j = 0; j < size; ++j) identity[j + j * size] = 1;
  for (const Kernels* level : levels()) {
    std::vector<double> h = identity;
    polls = 0;
    EXPECT_FALSE(level->cholesky(h.data(), size, size, workspace.data(), [] { return ++polls == 3; }));
    EXPECT_EQ(polls, 3);
    h = identity;
    polls = 0;
    EXPECT_TRUE(level->cholesky(h.data(), size, size, workspace.data(), [] { return ++polls > 1000; }));
    EXPECT_GE(polls, 7);
    EXPECT_EQ(h, identity);
  }
}

TEST(Levels, run_a_loop_once) {
  int runs = 0;
  EXPECT_EQ(at_level([&]() __attribute__((always_inline)) { return ++runs; }), 1);
  EXPECT_EQ(runs, 1);
}

}  // namespace levels_test
}  // namespace seesaw
