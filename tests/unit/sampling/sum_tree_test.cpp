#include "sampling/sum_tree.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "base/rng.h"

namespace seesaw {
namespace sum_tree_test {

std::vector<double> some_values(std::size_t n, std::uint64_t seed) {
  Rng rng(seed);
  std::vector<double> values(n);
  for (double& value : values) value = rng.below(3) == 0 ? 0 : std::pow(10, 8 * rng.uniform() - 4);
  return values;
}

TEST(SumTree, has_the_sum_of_its_leaves_for_total) {
  for (std::size_t n : {1, 2, 15, 16, 17, 255, 256, 257, 5000}) {
    const auto values = some_values(n, n + 1);
    const SumTree tree(values);
    const double sum = std::accumulate(values.begin(), values.end(), 0.0);
    EXPECT_EQ(tree.size(), n);
    EXPECT_NEAR(tree.total(), sum, 1e-13 * sum);
    for (std::size_t k = 0; k < n; ++k) EXPECT_EQ(tree[k], values[k]);
  }
}

TEST(SumTree, does_not_drift_in_a_million_changes) {
  auto values = some_values(5000, 1);
  SumTree tree(values);
  Rng rng(2);
  for (int change = 1; change <= 1000000; ++change) {
    const std::uint32_t leaf = rng.below(5000);
    values[leaf] = rng.below(5) == 0 ? 0 : std::pow(10, 6 * rng.uniform() - 3);
    tree.set(leaf, values[leaf]);
    if (change % 20000 == 0) {
      ASSERT_EQ(tree.total(), SumTree(values).total()) << change;  // bitwise
    }
  }
  const double sum = std::accumulate(values.begin(), values.end(), 0.0);
  EXPECT_NEAR(tree.total(), sum, 1e-13 * sum);
  const SumTree fresh(values);
  for (int draw = 0; draw < 100000; ++draw) {  // so the inner sums agree as well
    const double u = rng.uniform() * fresh.total();
    ASSERT_EQ(tree.find(u), fresh.find(u));
  }
  for (std::uint32_t leaf = 0; leaf < 5000; ++leaf) tree.set(leaf, 0);
  EXPECT_EQ(tree.total(), 0);
}

// Integers, so that nothing is rounded: leaf k has the interval [prefix, prefix + value).
TEST(SumTree, finds_leaves_by_their_prefix_sums_up_to_the_boundaries) {
  for (std::size_t n : {1, 3, 16, 17, 300, 4097}) {
    Rng rng(n);
    std::vector<double> values(n);
    for (double& value : values) value = rng.below(4);
    values[n / 2] = 3;
    const SumTree tree(values);
    double prefix = 0;
    for (std::size_t k = 0; k < n; ++k) {
      const double end = prefix + values[k];
      if (values[k] > 0) {
        EXPECT_EQ(tree.find(prefix), k);
        EXPECT_EQ(tree.find(prefix + 0.5), k);
        EXPECT_EQ(tree.find(std::nextafter(end, 0)), k);
      }
      prefix = end;
    }
  }
}

TEST(SumTree, never_finds_a_leaf_of_value_zero) {
  for (std::size_t n : {1, 17, 256, 1000}) {
    for (std::size_t only : {std::size_t{0}, n / 3, n - 1}) {
      std::vector<double> values(n);
      values[only] = 1e-150;
      const SumTree tree(values);
      for (double u : {0.0, 0.5e-150, 1e-150, 2e-150, 1.0, -1.0, double(INFINITY), double(NAN)})
        EXPECT_EQ(tree.find(u), only) << n << " leaves, u = " << u;
    }
  }
}

// Prefix sums and pairwise sums round differently: near the upper end of a node, u can exceed all prefix sums.
TEST(SumTree, never_finds_a_leaf_of_value_zero_by_rounding) {
  Rng rng(8);
  for (int trial = 0; trial < 3000; ++trial) {
    std::vector<double> values(1 + rng.below(60));
    for (double& value : values) value = rng.below(2) == 0 ? 0 : std::pow(10, -17 * rng.uniform());
    values[rng.below(static_cast<std::uint32_t>(values.size()))] = 0.1;
    const SumTree tree(values);
    double prefix = 0;
    for (double value : values) {
      prefix += value;
      for (double u : {std::nextafter(prefix, 0), prefix, std::nextafter(prefix, 1e9), std::nextafter(tree.total(), 0)})
        ASSERT_GT(tree[tree.find(u)], 0);
    }
  }
}

}  // namespace sum_tree_test
}  // namespace seesaw
