#include "data/dataset.h"

#include <gtest/gtest.h>
#include <tbb/global_control.h>

#include <bit>
#include <cmath>
#include <functional>
#include <limits>
#include <set>
#include <tuple>

#include "base/rng.h"
#include "support/table.h"
#include "support/threads.h"

namespace seesaw {
namespace dataset_test {

using test::all_storages;
using test::Matrix;
using test::matrix_of;
using test::Storage;
using test::table;
using test::Zeros;

// Values that float holds exactly, so that every storage has the same numbers.
Matrix random_matrix(std::size_t n, std::size_t d, double density, std::uint64_t seed = 7) {
  Rng rng(seed);
  Matrix matrix(n, std::vector<double>(d));
  for (auto& row : matrix)
    for (double& value : row)
      if (rng.uniform() < density) value = std::ldexp(static_cast<double>(rng.below(4001)) - 2000, -8);
  return matrix;
}

std::vector<double> random_vector(std::size_t size, std::uint64_t seed) {
  Rng rng(seed);
  std::vector<double> vector(size);
  for (double& value : vector) value = rng.uniform() - 0.5;
  return vector;
}

// work() with at most `count` threads.
template <class Work>
auto with_threads(std::size_t count, const Work& work) {
  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, count);
  return work();
}

const Matrix small = {{1, 0, -2.5, 0}, {0, 0, 0, 0}, {0.25, 3, 0, 0}, {0, 0, 0, 7}};

TEST(CountLabels, gives_labels_in_ascending_order_with_their_counts) {
  Dataset data = table(Matrix(6, {1.0}));
  data.labels = {3, -1, 3, 0.5, -1, 3};
  const auto counts = count_labels(data);
  ASSERT_EQ(counts.size(), 3U);
  EXPECT_EQ(counts[0].label, -1);
  EXPECT_EQ(counts[0].count, 2U);
  EXPECT_EQ(counts[1].label, 0.5);
  EXPECT_EQ(counts[1].count, 1U);
  EXPECT_EQ(counts[2].label, 3);
  EXPECT_EQ(counts[2].count, 3U);
}

TEST(CountLabels, distinguishes_exactly_most_labels_from_more) {
  Dataset data = table(Matrix(20, {1.0}));
  for (std::size_t i = 0; i < 20; ++i) data.labels[i] = static_cast<double>(i % 5);
  EXPECT_EQ(count_labels(data, 5).size(), 5U);
  EXPECT_EQ(count_labels(data, 4).size(), 5U);
  EXPECT_EQ(count_labels(data, 3).size(), 4U) << "one more than `most` means many";
}

TEST(ContentHash, is_the_same_for_sparse_and_dense_storage) {
  const Matrix matrix = random_matrix(500, 30, 0.4);
  const std::uint64_t hash = content_hash(table(matrix));
  for (const Storage storage : all_storages) EXPECT_EQ(content_hash(table(matrix, storage)), hash);
}

TEST(ContentHash, ignores_explicit_zeros) {
  Matrix matrix = small;
  const std::uint64_t hash = content_hash(table(matrix));
  EXPECT_EQ(content_hash(table(matrix, Storage::sparse, Zeros::explicit_entries)), hash);
  matrix[1][1] = -0.0;
  EXPECT_EQ(content_hash(table(matrix, Storage::sparse, Zeros::explicit_entries)), hash);
  EXPECT_EQ(content_hash(table(matrix, Storage::dense)), hash);
}

TEST(ContentHash, treats_weights_of_one_as_no_weights) {
  Dataset data = table(small);
  const std::uint64_t hash = content_hash(data);
  data.weights = {1, 1, 1, 1};
  EXPECT_EQ(content_hash(data), hash);
  data.weights = {1, 1, 2, 1};
  EXPECT_NE(content_hash(data), hash);
}

TEST(ContentHash, changes_with_every_value_position_label_and_weight) {
  std::set<std::uint64_t> hashes;
  std::size_t variants = 0;
  const auto expect_new = [&](const Dataset& data) {
    ++variants;
    EXPECT_EQ(hashes.insert(content_hash(data)).second, true) << "variant " << variants << " hashes like another one";
  };
  expect_new(table(small));
  for (std::size_t i = 0; i < 4; ++i) {
    for (std::size_t j = 0; j < 4; ++j) {
      Matrix matrix = small;
      matrix[i][j] += 1e-9;
      expect_new(table(matrix));
    }
    Dataset data = table(small);
    data.labels[i] = -1;
    expect_new(data);
    data = table(small);
    data.weights = {1, 1, 1, 1};
    data.weights[i] = 0.5;
    expect_new(data);
  }
  Matrix moved = small;
  std::swap(moved[0][2], moved[1][2]);  // the same stream of entries with other row boundaries
  expect_new(table(moved));
  std::swap(moved[1][2], moved[1][3]);
  expect_new(table(moved));
  Matrix longer = small;
  longer.push_back({0, 0, 0, 0});
  expect_new(table(longer));
  expect_new(table({}));
}

TEST(ContentHash, does_not_depend_on_the_number_of_threads) {
  const Dataset data = table(random_matrix(3000, 20, 0.3));
  const auto hash = [&] { return content_hash(data); };
  EXPECT_EQ(with_threads(1, hash), with_threads(2, hash));
}

// Rows begin .. end of a data set, as one that holds only a part of the rows has them.
Dataset part_of(const Dataset& data, std::size_t begin, std::size_t end) {
  const Matrix all = matrix_of(data);
  Dataset part =
      table(Matrix(all.begin() + static_cast<std::ptrdiff_t>(begin), all.begin() + static_cast<std::ptrdiff_t>(end)));
  part.labels.assign(data.labels.begin() + static_cast<std::ptrdiff_t>(begin),
                     data.labels.begin() + static_cast<std::ptrdiff_t>(end));
  part.weights.assign(data.weights.begin() + static_cast<std::ptrdiff_t>(begin),
                      data.weights.begin() + static_cast<std::ptrdiff_t>(end));
  return part;
}

TEST(ContentHash, of_parts_that_begin_at_a_leaf_can_be_joined) {
  Dataset data = table(random_matrix(3 * hash_leaf_rows + 7, 5, 0.6));
  for (std::size_t i = 0; i < data.n(); ++i) {
    data.labels[i] = static_cast<double>(i % 3);
    data.weights.push_back(1 + static_cast<double>(i % 5));
  }
  const std::vector<std::uint64_t> whole = leaf_hashes(data);
  EXPECT_EQ(whole.size(), 4U);
  EXPECT_EQ(join_leaves(data.n(), whole), content_hash(data));
  for (const std::size_t cut : {hash_leaf_rows, 2 * hash_leaf_rows, 3 * hash_leaf_rows}) {
    std::vector<std::uint64_t> joined = leaf_hashes(part_of(data, 0, cut));
    for (const std::uint64_t leaf : leaf_hashes(part_of(data, cut, data.n()))) joined.push_back(leaf);
    EXPECT_EQ(joined, whole) << cut;
  }
}

TEST(ContentHash, is_the_one_that_models_were_written_with) {
  Dataset data = table(small);
  data.labels = {-1, 1, 1, -1};
  EXPECT_EQ(content_hash(data), 14047265425226946471U);
  data.weights = {1, 2, 0.5, 1};
  EXPECT_EQ(content_hash(data), 11822802676592851883U);
  EXPECT_EQ(content_hash(table(random_matrix(1000, 10, 0.5))), 2615118246956333346U) << "several leaves";
}

TEST(SquaredRowNorms, are_those_of_the_naive_loop_in_every_storage) {
  const Matrix matrix = random_matrix(700, 200, 0.3);
  for (const Storage storage : all_storages) {
    const std::vector<double> norms = squared_row_norms(table(matrix, storage));
    ASSERT_EQ(norms.size(), matrix.size());
    for (std::size_t i = 0; i < matrix.size(); ++i) {
      double expected = 0;
      for (const double value : matrix[i]) expected += value * value;
      EXPECT_DOUBLE_EQ(norms[i], expected);  // sums of multiples of 2^-16 below 2^37: exact
    }
  }
}

TEST(Multiply, agrees_with_the_naive_loop_in_every_storage) {
  const Matrix matrix = random_matrix(900, 150, 0.5);
  const std::vector<double> x = random_vector(150, 1);
  for (const Storage storage : all_storages) {
    std::vector<double> z(matrix.size(), std::numeric_limits<double>::quiet_NaN());
    multiply(table(matrix, storage).rows, x.data(), z.data());
    for (std::size_t i = 0; i < matrix.size(); ++i) {
      double expected = 0, size = 0;
      for (std::size_t j = 0; j < x.size(); ++j) {
        expected += matrix[i][j] * x[j];
        size += std::abs(matrix[i][j] * x[j]);
      }
      EXPECT_NEAR(z[i], expected, 1e-14 * size);
    }
  }
}

TEST(MultiplyTransposed, agrees_with_the_naive_loop_in_every_storage_and_shape) {
  struct Shape {
    std::size_t n, d;
    double density;
  };
  for (const Shape shape : {Shape{3000, 100, 0.6}, {20, 3000, 0.01}, {1, 5, 1.0}, {400, 400, 1.0}}) {
    const Matrix matrix = random_matrix(shape.n, shape.d, shape.density);
    std::vector<double> y = random_vector(shape.n, 2);
    y[shape.n / 2] = 0;
    for (const Storage storage : all_storages) {
      std::vector<double> v(shape.d, std::numeric_limits<double>::quiet_NaN());
      multiply_transposed(table(matrix, storage).rows, y.data(), v.data());
      for (std::size_t j = 0; j < shape.d; ++j) {
        double expected = 0, size = 0;
        for (std::size_t i = 0; i < shape.n; ++i) {
          expected += matrix[i][j] * y[i];
          size += std::abs(matrix[i][j] * y[i]);
        }
        EXPECT_NEAR(v[j], expected, 1e-14 * size);
      }
    }
  }
}

TEST(Products, are_bitwise_equal_for_one_and_two_threads) {
  const Matrix matrix = random_matrix(4000, 90, 0.7);
  const std::vector<double> x = random_vector(90, 3), y = random_vector(4000, 4);
  for (const Storage storage : all_storages) {
    const Dataset data = table(matrix, storage);
    const auto products = [&] {
      std::vector<double> result(4000 + 90);
      multiply(data.rows, x.data(), result.data());
      multiply_transposed(data.rows, y.data(), result.data() + 4000);
      return result;
    };
    const std::vector<double> one = with_threads(1, products);
    for (int repetition = 0; repetition < 20; ++repetition) ASSERT_EQ(one, with_threads(2, products));
  }
}

// The sum over the groups of leaves, each in the order of its rows, along the recursive tree.
double tree_of(const std::function<double(std::size_t)>& group, std::size_t begin, std::size_t end) {
  if (end - begin == 1) return group(begin);
  const std::size_t middle = begin + std::bit_floor(end - begin - 1);
  return tree_of(group, begin, middle) + tree_of(group, middle, end);
}

// Narrow rows with many groups, and wide ones with few, whose columns are divided among the threads.
TEST(Products, are_summed_along_the_tree_for_any_number_of_threads) {
  for (const auto& [n, d, fill] : {std::tuple<std::size_t, std::size_t, double>{9000, 60, 0.5}, {600, 9000, 0.02}}) {
    const Matrix matrix = random_matrix(n, d, fill);
    const std::vector<double> y = random_vector(n, 4);
    for (const Storage storage : all_storages) {
      const Dataset data = table(matrix, storage);
      const Leaves groups = std::visit([](const auto& rows) { return leaves_for_vectors(rows); }, data.rows);
      if (d == 60) {
        EXPECT_GT(groups.count(), 4U);
      }
      const Matrix stored = test::matrix_of(data);
      std::vector<double> expected(d);
      for (std::size_t j = 0; j < d; ++j)
        expected[j] = tree_of(
            [&](std::size_t group) {
              double sum = 0;
              for (std::size_t i = groups.begin(group); i < groups.end(group); ++i) sum += y[i] * stored[i][j];
              return sum;
            },
            0, groups.count());
      for (const std::size_t threads : test::thread_counts) {
        std::vector<double> v(d, -1);
        test::in_threads(threads, [&] { multiply_transposed(data.rows, y.data(), v.data()); });
        ASSERT_EQ(v, expected) << n << " x " << d << ", " << threads << " threads";
      }
    }
  }
}

TEST(Products, with_several_outputs_are_those_of_each_output) {
  constexpr std::size_t n = 700, d = 60;
  const Matrix matrix = random_matrix(n, d, 0.5);
  for (const std::size_t outputs : {2, 3, 12, 13, 29})
    for (const Storage storage : all_storages) {
      const std::vector<double> x = random_vector(d * outputs, 5), y = random_vector(n * outputs, 6);
      const Rows rows = table(matrix, storage).rows;
      std::vector<double> z(n * outputs), v(d * outputs), x1(d), y1(n), z1(n), v1(d);
      multiply(rows, x.data(), z.data(), outputs);
      multiply_transposed(rows, y.data(), v.data(), outputs);
      for (std::size_t k = 0; k < outputs; ++k) {
        for (std::size_t j = 0; j < d; ++j) x1[j] = x[j * outputs + k];
        for (std::size_t i = 0; i < n; ++i) y1[i] = y[i * outputs + k];
        multiply(rows, x1.data(), z1.data());
        multiply_transposed(rows, y1.data(), v1.data());
        for (std::size_t i = 0; i < n; ++i) ASSERT_NEAR(z[i * outputs + k], z1[i], 1e-12) << outputs;
        for (std::size_t j = 0; j < d; ++j) ASSERT_NEAR(v[j * outputs + k], v1[j], 1e-11) << outputs;
      }
    }
}

TEST(Products, of_data_without_rows_are_empty_and_zero) {
  const std::vector<std::uint64_t> offsets = {0};
  const Rows none = SparseRows<double>(3, offsets, {}, {}, nullptr);
  const std::vector<double> x(3);
  double z = 5;
  multiply(none, x.data(), &z);
  EXPECT_EQ(z, 5) << "there is nothing to write";
  std::vector<double> v(3, 5.0);
  multiply_transposed(none, nullptr, v.data());
  EXPECT_EQ(v, std::vector<double>(3));
}

}  // namespace dataset_test
}  // namespace seesaw
