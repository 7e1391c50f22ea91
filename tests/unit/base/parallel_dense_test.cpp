// Dense products and factors by several threads: bitwise those of one.
#include "base/parallel_dense.h"

#include <gtest/gtest.h>

#include <vector>

#include "base/rng.h"
#include "kernels/dense.h"
#include "support/threads.h"

namespace seesaw {
namespace parallel_dense_test {

std::vector<double> random_numbers(std::size_t count, std::uint64_t seed) {
  Rng rng(seed);
  std::vector<double> numbers(count);
  for (double& number : numbers) number = rng.normal();
  return numbers;
}

TEST(ParallelDense, gram_matrices_have_the_bits_of_one_thread) {
  for (const std::size_t size : {1, 31, 123, 530})
    for (const std::size_t depth : {1, 600}) {
      const std::vector<double> w = random_numbers(size * depth, size);
      std::vector<double> expected(size * size, 0.25), by_columns = expected;
      add_gram(w.data(), size, depth, expected.data(), size);
      add_gram_of_columns(w.data(), size, depth, depth, by_columns.data(), size);
      for (const std::size_t threads : test::thread_counts)
        test::in_threads(threads, [&] {
          for (const std::size_t tiles : {std::size_t{1}, std::size_t{5}, tiles_for(size)}) {
            std::vector<double> h(size * size, 0.25), k = h;
            add_gram_in_tiles(w.data(), size, depth, h.data(), size, tiles);
            add_gram_of_columns_in_tiles(w.data(), size, depth, depth, k.data(), size, tiles);
            ASSERT_EQ(h, expected) << size << " x " << depth << ", " << threads << " threads, " << tiles << " tiles";
            ASSERT_EQ(k, by_columns) << size << " x " << depth << ", " << threads << " threads, " << tiles << " tiles";
          }
        });
    }
}

TEST(ParallelDense, cholesky_factors_have_the_bits_of_one_thread) {
  for (const std::size_t size : {1, 200, 384, 385, 513, 900}) {
    const std::vector<double> w = random_numbers(size * (size + 3), 7);
    std::vector<double> matrix(size * size);
    add_gram(w.data(), size, size + 3, matrix.data(), size);
    for (std::size_t j = 0; j < size; ++j) matrix[j + j * size] += 1;
    std::vector<double> expected = matrix;
    ASSERT_TRUE(factor_cholesky(expected.data(), size));
    for (const std::size_t threads : test::thread_counts)
      test::in_threads(threads, [&] {
        std::vector<double> factor = matrix;
        ASSERT_TRUE(factor_cholesky_in_parallel(factor.data(), size));
        ASSERT_EQ(factor, expected) << size << ", " << threads << " threads";
      });
  }
}

TEST(ParallelDense, cholesky_stops_and_refuses_indefinite_matrices) {
  constexpr std::size_t size = 600;
  std::vector<double> matrix(size * size);
  for (std::size_t j = 0; j < size; ++j) matrix[j + j * size] = j == 500 ? -1 : 1;
  test::in_threads(8, [&] {
    std::vector<double> a = matrix, b = matrix;
    EXPECT_FALSE(factor_cholesky_in_parallel(a.data(), size));
    EXPECT_FALSE(factor_cholesky_in_parallel(b.data(), size, [] { return true; }));
  });
}

}  // namespace parallel_dense_test
}  // namespace seesaw
