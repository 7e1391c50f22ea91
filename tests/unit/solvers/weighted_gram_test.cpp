#include "solvers/parts/newton/weighted_gram.h"

#include <gtest/gtest.h>
#include <tbb/global_control.h>

#include <numeric>
#include <tuple>

#include "solvers/parts/newton/cholesky.h"
#include "support/problems.h"
#include "support/threads.h"

namespace seesaw {
namespace weighted_gram_test {

TEST(WeightedGram, is_the_sum_of_outer_products_in_every_storage_and_for_any_number_of_threads) {
  for (const auto storage : test::all_storages)
    for (const auto& [n, d] : {std::pair<std::size_t, std::size_t>{5, 1}, {300, 7}, {9000, 11}, {256, 90}})
      for (const auto& [border, one_weight] :
           {std::pair<bool, bool>{false, false}, {true, false}, {false, true}, {true, true}}) {
        const Dataset data = test::random_data(n, d, Target::sign, 3, storage);
        const test::Matrix matrix = test::matrix_of(data);
        std::vector<std::uint32_t> which;
        std::vector<double> weight;
        for (std::uint32_t i = 0; i < n; i += one_weight ? 1 : 1 + i % 3) {  // of one weight: all rows, in place
          which.push_back(i);
          weight.push_back(one_weight ? 0.3 : i % 4 == 0 ? 0 : 0.25 * (i % 7));
        }
        const std::size_t unknowns = d + (border ? 1 : 0);
        Eigen::MatrixXd h, other;
        weighted_gram(data.rows, which, weight, border, h);
        {
          const tbb::global_control one(tbb::global_control::max_allowed_parallelism, 1);
          weighted_gram(data.rows, which, weight, border, other);
        }
        for (std::size_t j = 0; j < unknowns; ++j)
          for (std::size_t k = 0; k <= j; ++k) {
            long double sum = 0, size = 0;
            for (std::size_t at = 0; at < which.size(); ++at) {
              const auto entry = [&, features = d](std::size_t column) {
                return column < features ? matrix[which[at]][column] : 1.0;
              };
              const long double term = static_cast<long double>(weight[at]) * entry(j) * entry(k);
              sum += term;
              size += std::abs(term);
            }
            EXPECT_NEAR(h(j, k), static_cast<double>(sum), 1e-14 * static_cast<double>(size) + 1e-300)
                << n << " x " << d << " entry " << j << ", " << k;
            EXPECT_EQ(h(j, k), other(j, k));
          }
      }
}

// Several groups of leaves, and tiles: dense blocks, and sparse rows that are scattered.
TEST(WeightedGram, has_the_same_bits_for_any_number_of_threads) {
  for (const auto& [n, d, fill] :
       {std::tuple<std::size_t, std::size_t, double>{9000, 20, 1}, {3000, 260, 1}, {14000, 70, 0.1}, {3000, 300, 0.05}})
    for (const bool border : {false, true}) {
      test::Matrix matrix(n, std::vector<double>(d));
      Rng rng(n + d);
      for (auto& row : matrix)
        for (double& value : row)
          if (rng.uniform() < fill) value = rng.normal();
      const Dataset data = test::table(matrix, fill == 1 ? test::Storage::dense : test::Storage::sparse);
      std::vector<std::uint32_t> which;
      std::vector<double> weight;
      for (std::uint32_t i = 0; i < n; i += 1 + (i % 5 == 0)) {
        which.push_back(i);
        weight.push_back(i % 11 == 0 ? 0 : rng.uniform());
      }
      Eigen::MatrixXd one;
      test::in_threads(1, [&] { weighted_gram(data.rows, which, weight, border, one); });
      one.triangularView<Eigen::StrictlyUpper>().setZero();
      for (const std::size_t threads : test::thread_counts) {
        Eigen::MatrixXd h;
        test::in_threads(threads, [&] { weighted_gram(data.rows, which, weight, border, h); });
        h.triangularView<Eigen::StrictlyUpper>().setZero();
        ASSERT_TRUE(h == one) << n << " x " << d << ", " << threads << " threads";
      }
    }
}

// Rows of 0 to 13 entries in 60 columns: too sparse for dense blocks.
TEST(WeightedGram, scatters_sparse_rows_of_any_length) {
  test::Matrix matrix(200, std::vector<double>(60));
  Rng rng(9);
  for (std::size_t i = 0; i < matrix.size(); ++i)
    for (std::size_t k = 0; k < i % 14; ++k) matrix[i][rng.below(60)] = rng.normal();
  const Dataset data = test::table(matrix);
  std::vector<std::uint32_t> which(matrix.size());
  std::iota(which.begin(), which.end(), 0u);
  std::vector<double> weight;
  for (std::size_t i = 0; i < which.size(); ++i) weight.push_back(0.1 * double(i % 5));
  Eigen::MatrixXd h;
  weighted_gram(data.rows, which, weight, true, h);
  for (Eigen::Index j = 0; j < 61; ++j)
    for (Eigen::Index k = 0; k <= j; ++k) {
      double sum = 0;
      const auto entry = [&](std::size_t i, Eigen::Index at) { return at < 60 ? matrix[i][std::size_t(at)] : 1.0; };
      for (std::size_t i = 0; i < matrix.size(); ++i) sum += weight[i] * entry(i, j) * entry(i, k);
      EXPECT_NEAR(h(j, k), sum, 1e-12) << j << ", " << k;
    }
}

// Exactly as many rows as in a block.
TEST(WeightedGram, accepts_exactly_one_block_of_rows) {
  const Dataset data = test::random_data(256, 90, Target::sign, 3, test::Storage::dense);
  std::vector<std::uint32_t> which(256);
  std::iota(which.begin(), which.end(), 0u);
  Eigen::MatrixXd h;
  weighted_gram(data.rows, which, std::vector<double>(256, 1.0), false, h);
  EXPECT_GT(h.diagonal().minCoeff(), 0);
  weighted_gram(data.rows, which, std::vector<double>(256, 0.0), false, h);
  EXPECT_EQ(h.diagonal().maxCoeff(), 0);
}

// Whole blocks of rows without remainder, and no rows at all.
TEST(WeightedGram, accepts_whole_blocks_and_no_rows) {
  for (const std::uint32_t n : {0, 128, 256}) {
    const Dataset data = test::table(test::Matrix(300, {1, 2}), test::Storage::dense);
    std::vector<std::uint32_t> which(n);
    std::iota(which.begin(), which.end(), 0u);
    Eigen::MatrixXd h;
    weighted_gram(data.rows, which, std::vector<double>(n, 0.25), false, h);
    EXPECT_EQ(h(0, 0), 0.25 * n);
    EXPECT_EQ(h(1, 0), 0.5 * n);
    EXPECT_EQ(h(1, 1), 1.0 * n);
  }
}

TEST(Cholesky, solves_and_shifts_a_singular_matrix) {
  Eigen::MatrixXd h(2, 2);
  h << 4, 99, 2, 3;  // the upper triangle is ignored
  Cholesky cholesky;
  cholesky.factor(h);
  const Eigen::VectorXd x = cholesky.solve(Eigen::Vector2d(8, 8));
  EXPECT_NEAR(4 * x[0] + 2 * x[1], 8, 1e-14);
  EXPECT_NEAR(2 * x[0] + 3 * x[1], 8, 1e-14);
  cholesky.factor(Eigen::MatrixXd::Ones(3, 3));
  ASSERT_TRUE(cholesky.ready());
  EXPECT_TRUE(cholesky.solve(Eigen::Vector3d(1, 1, 1)).allFinite());
}

}  // namespace weighted_gram_test
}  // namespace seesaw
