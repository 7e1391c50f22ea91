// Leaves against their definition, and the tree against a recursive one.
#include "base/leaves.h"

#include <gtest/gtest.h>

#include <bit>
#include <deque>
#include <functional>
#include <map>
#include <numeric>
#include <string>

#include "base/rng.h"
#include "base/tree_sum.h"
#include "support/threads.h"

namespace seesaw {
namespace leaves_test {

Leaves leaves_of_sizes(const std::vector<std::size_t>& entries) {
  std::vector<std::size_t> before{0};
  for (const std::size_t count : entries) before.push_back(before.back() + count);
  return cut_rows(entries.size(), [&](std::size_t i) { return before[i]; });
}

// The leaf of a row by the definition: floor(size before it / leaf_size), but the last leaf takes what remains.
void expect_by_definition(const std::vector<std::size_t>& entries) {
  const Leaves leaves = leaves_of_sizes(entries);
  const std::size_t all = std::accumulate(entries.begin(), entries.end(), entries.size());
  ASSERT_EQ(leaves.count(), std::max<std::size_t>(all / leaf_size, 1));
  ASSERT_EQ(leaves.begin(0), 0U);
  ASSERT_EQ(leaves.rows(), entries.size());
  std::vector<std::size_t> leaf_of(entries.size());
  for (std::size_t leaf = 0; leaf < leaves.count(); ++leaf) {
    ASSERT_LE(leaves.begin(leaf), leaves.end(leaf));
    ASSERT_EQ(leaves.begin(leaf), leaf == 0 ? 0 : leaves.end(leaf - 1));
    for (std::size_t i = leaves.begin(leaf); i < leaves.end(leaf); ++i) leaf_of[i] = leaf;
  }
  std::size_t before = 0;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    ASSERT_EQ(leaf_of[i], std::min(before / leaf_size, leaves.count() - 1)) << "row " << i;
    before += entries[i] + 1;
  }
}

TEST(Leaves, cut_rows_of_any_size) {
  expect_by_definition({});
  expect_by_definition({0});
  expect_by_definition({7});
  expect_by_definition({10 * leaf_size});                     // one huge row: nine leaves without rows
  expect_by_definition(std::vector<std::size_t>(100000, 0));  // empty rows
  expect_by_definition(std::vector<std::size_t>(5000, 90));
  std::vector<std::size_t> mixed;
  Rng rng(3);
  for (std::size_t i = 0; i < 20000; ++i) mixed.push_back(i % 1000 == 7 ? 200000 : i % 5 == 0 ? 0 : rng.below(300));
  expect_by_definition(mixed);
}

TEST(Leaves, of_a_list_have_the_borders_of_the_rows) {
  const Leaves leaves = leaves_of_sizes(std::vector<std::size_t>(5000, 99));
  ASSERT_GT(leaves.count(), 10U);
  std::vector<std::uint32_t> which;
  for (std::uint32_t i = 0; i < 5000; i += 1 + i % 9 + (i / 400 % 2) * 350) which.push_back(i);
  const Leaves listed = leaves.of_list(which);
  ASSERT_EQ(listed.count(), leaves.count());
  EXPECT_EQ(listed.rows(), which.size());
  for (std::size_t leaf = 0; leaf < listed.count(); ++leaf)
    for (std::size_t k = listed.begin(leaf); k < listed.end(leaf); ++k) {
      EXPECT_GE(which[k], leaves.begin(leaf));
      EXPECT_LT(which[k], leaves.end(leaf));
    }
  EXPECT_EQ(leaves.of_list({}).rows(), 0U);
}

// The order of a sum, written down.
struct Order {
  std::string text;
  Order& operator+=(const Order& other) {
    text = "(" + text + " " + other.text + ")";
    return *this;
  }
};

// The interval is split at the largest power of two below its length.
std::string recursive_order(std::size_t begin, std::size_t end) {
  if (end - begin == 1) return std::to_string(begin);
  const std::size_t middle = begin + std::bit_floor(end - begin - 1);
  return "(" + recursive_order(begin, middle) + " " + recursive_order(middle, end) + ")";
}

Leaves single_rows(std::size_t count) {
  std::vector<std::size_t> bounds(count + 1);
  std::iota(bounds.begin(), bounds.end(), std::size_t{0});
  return Leaves(std::move(bounds));
}

TEST(TreeSum, has_the_order_of_the_recursive_tree) {
  for (std::size_t count = 1; count <= 70; ++count) {
    const std::string expected = recursive_order(0, count);
    for (const std::size_t threads : {1, 8})
      test::in_threads(threads, [&] {
        const auto small = tree_sum<Order>(single_rows(count),
                                           [](std::size_t begin, std::size_t) { return Order{std::to_string(begin)}; });
        EXPECT_EQ(small.text, expected);
        Order large;
        std::deque<Order> made;
        const auto make = [&]() -> void* { return &made.emplace_back(); };
        const auto fill = [](std::size_t leaf, void* part) { static_cast<Order*>(part)->text = std::to_string(leaf); };
        const auto join = [](void* left, void* right) { *static_cast<Order*>(left) += *static_cast<Order*>(right); };
        tree_join({0, count}, count, threads, &large, {make, fill, join});
        EXPECT_EQ(large.text, expected);
      });
  }
}

// Groups are nodes of the tree: replaced by their own trees, they give the tree of the leaves.
TEST(TreeSum, over_groups_is_the_upper_part_of_the_tree) {
  for (std::size_t count = 1; count <= 40; ++count)
    for (std::size_t most = 1; most <= 40; ++most) {
      const Leaves groups = single_rows(count).grouped(most);
      EXPECT_LE(groups.count(), most);
      const auto order = tree_sum<Order>(
          groups, [](std::size_t begin, std::size_t end) { return Order{recursive_order(begin, end)}; });
      EXPECT_EQ(order.text, recursive_order(0, count)) << count << " in " << groups.count();
    }
  EXPECT_EQ(single_rows(5).grouped(0).count(), 1U);
}

// What processes need: each computes the nodes inside its range of leaves, at most 2 log2(leaves), and these suffice.
TEST(TreeSum, follows_from_the_nodes_inside_any_ranges_of_leaves) {
  Rng rng(4);
  for (int round = 0; round < 300; ++round) {
    const std::size_t count = 1 + rng.below(100), ranks = 1 + rng.below(8);
    std::vector<std::size_t> borders{0, count};
    for (std::size_t r = 1; r < ranks; ++r) borders.push_back(rng.below(static_cast<std::uint32_t>(count + 1)));
    std::sort(borders.begin(), borders.end());
    std::map<std::pair<std::size_t, std::size_t>, std::string> nodes;  // by their leaves
    const std::size_t root = std::bit_ceil(count);
    for (std::size_t r = 0; r + 1 < borders.size(); ++r) {
      std::size_t sent = 0;
      const std::function<void(std::size_t, std::size_t)> visit = [&](std::size_t begin, std::size_t end) {
        const std::size_t last = std::min(end, count);
        if (begin >= borders[r + 1] || last <= borders[r] || begin >= last) return;
        if (begin >= borders[r] && last <= borders[r + 1]) {
          nodes[{begin, end}] = recursive_order(begin, last);
          ++sent;
          return;
        }
        visit(begin, (begin + end) / 2);
        visit((begin + end) / 2, end);
      };
      visit(0, root);
      EXPECT_LE(sent, 2 * std::max<std::size_t>(std::bit_width(count), 1));
    }
    const std::function<std::string(std::size_t, std::size_t)> join = [&](std::size_t begin, std::size_t end) {
      if (const auto known = nodes.find({begin, end}); known != nodes.end()) return known->second;
      const std::size_t middle = (begin + end) / 2;
      if (middle >= count) return join(begin, middle);
      return "(" + join(begin, middle) + " " + join(middle, end) + ")";
    };
    EXPECT_EQ(join(0, root), recursive_order(0, count));
  }
}

// Bitwise, with numbers whose sum depends on the order.
TEST(TreeSum, of_vectors_is_that_of_the_recursion_for_any_number_of_threads) {
  constexpr std::size_t length = 70000;  // two chunks
  for (const std::size_t count : {1, 2, 3, 5, 13, 32, 37}) {
    const auto value = [](std::size_t leaf, std::size_t j) {
      return (static_cast<double>((leaf * 7919 + j * 104729) % 1000003) - 5e5) * (leaf % 3 == 0 ? 1e9 : 1e-3) / 3;
    };
    const std::function<double(std::size_t, std::size_t, std::size_t)> slow = [&](std::size_t begin, std::size_t end,
                                                                                  std::size_t j) {
      if (end - begin == 1) return 0.0 + value(begin, j);
      const std::size_t middle = begin + std::bit_floor(end - begin - 1);
      return slow(begin, middle, j) + slow(middle, end, j);
    };
    std::vector<double> expected(length);
    for (std::size_t j = 0; j < length; ++j) expected[j] = slow(0, count, j);
    for (const std::size_t threads : test::thread_counts) {
      std::vector<double> total(length, 3.5);
      test::in_threads(threads, [&] {
        tree_sum(single_rows(count), length, total.data(), [&](std::size_t begin, std::size_t, double* part) {
          for (std::size_t j = 0; j < length; ++j) part[j] += value(begin, j);
        });
      });
      ASSERT_EQ(total, expected) << count << " leaves, " << threads << " threads";
    }
  }
}

TEST(TreeSum, keeps_few_parts) {
  for (const std::size_t count : {1, 2, 7, 64, 1000}) {
    for (const std::size_t workers : {1, 4}) {
      std::deque<int> made;
      int total = 0;
      const auto make = [&]() -> void* { return &made.emplace_back(); };
      const auto fill = [](std::size_t leaf, void* part) { *static_cast<int*>(part) = static_cast<int>(leaf); };
      const auto join = [](void* left, void* right) { *static_cast<int*>(left) += *static_cast<int*>(right); };
      test::in_threads(workers, [&] { tree_join({0, count}, count, workers, &total, {make, fill, join}); });
      EXPECT_EQ(total, static_cast<int>(count * (count - 1) / 2));
      EXPECT_LE(made.size(), workers * std::bit_width(count)) << count << " leaves, " << workers << " workers";
    }
  }
}

TEST(TreeSum, of_no_rows_is_zero) {
  EXPECT_EQ(tree_sum<double>(Leaves(), [](std::size_t begin, std::size_t end) { return double(end - begin); }), 0);
  EXPECT_EQ(sum_over(Leaves(), {}), 0);
  double total = 1;
  tree_sum(Leaves(), 1, &total, [](std::size_t, std::size_t, double*) {});
  EXPECT_EQ(total, 0);
}

}  // namespace leaves_test
}  // namespace seesaw
