// Collective operations against what they mean, and sums over ranks against those of one process, bit for bit. The
// ranks are threads (support/thread_ranks.h).
#include "base/ranks.h"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <numeric>

#include "base/compensated_sum.h"
#include "base/rng.h"
#include "base/tree_sum.h"
#include "support/thread_ranks.h"

namespace seesaw {
namespace ranks_test {

using test::on_ranks;

constexpr int most_ranks = 9;

TEST(Ranks, broadcast_gather_and_concatenate) {
  for (int size = 1; size <= most_ranks; ++size)
    EXPECT_TRUE(on_ranks(size, [&](Ranks& ranks) {
      for (int root = 0; root < size; ++root) {
        int number = ranks.rank() == root ? 100 + root : -1;
        ranks.broadcast(root, &number, sizeof number);
        EXPECT_EQ(number, 100 + root);
        std::vector<double> numbers;
        if (ranks.rank() == root) numbers = {1, 2, 3.5};
        ranks.broadcast(root, numbers);
        EXPECT_EQ(numbers, (std::vector<double>{1, 2, 3.5}));
      }
      const std::vector<int> all = ranks.gather(7 * ranks.rank());
      for (int r = 0; r < size; ++r) EXPECT_EQ(all[static_cast<std::size_t>(r)], 7 * r);
      const std::vector<int> own(static_cast<std::size_t>(ranks.rank() % 3), ranks.rank());
      std::vector<int> expected;
      for (int r = 0; r < size; ++r) expected.insert(expected.end(), static_cast<std::size_t>(r % 3), r);
      EXPECT_EQ(ranks.concatenate<int>(own), expected);
    })) << size;
}

// Leaves of `rows` rows each, some without rows, and a share of them per rank: `borders` are leaves.
struct Whole {
  std::vector<std::size_t> bounds{0};
  std::size_t leaves() const { return bounds.size() - 1; }
  Leaves one_process() const { return Leaves(bounds); }
  Leaves of_rank(Ranks& ranks, const std::vector<std::size_t>& borders) const {
    auto shares = std::make_shared<Shares>();
    shares->ranks = &ranks;
    shares->first_leaf = borders;
    for (const std::size_t leaf : borders) shares->first_row.push_back(bounds[leaf]);
    shares->entries = bounds.back();
    const auto here = static_cast<std::size_t>(ranks.rank());
    std::vector<std::size_t> own;
    for (std::size_t leaf = borders[here]; leaf <= borders[here + 1]; ++leaf)
      own.push_back(bounds[leaf] - bounds[borders[here]]);
    return Leaves(std::move(own), std::move(shares), borders[here]);
  }
};

Whole whole_of(std::size_t leaves) {
  Whole whole;
  Rng rng(leaves + 1);
  for (std::size_t leaf = 0; leaf < leaves; ++leaf) whole.bounds.push_back(whole.bounds.back() + rng.below(9));
  return whole;
}

// Some ranks without leaves.
std::vector<std::size_t> random_borders(std::size_t leaves, int ranks, std::uint64_t seed) {
  Rng rng(seed);
  std::vector<std::size_t> borders{0};
  for (int r = 1; r < ranks; ++r) borders.push_back(rng.below(static_cast<std::uint32_t>(leaves + 1)));
  std::sort(borders.begin(), borders.end());
  borders.push_back(leaves);
  return borders;
}

std::vector<double> numbers_of(std::size_t count) {
  std::vector<double> numbers(count);
  Rng rng(count);
  for (double& number : numbers) number = std::ldexp(rng.uniform() - 0.5, static_cast<int>(rng.below(40)));
  return numbers;
}

auto bits_of(const CompensatedSum& sum) { return std::bit_cast<std::array<std::uint64_t, 2>>(sum); }

template <class T>
void expect_same_bits(const std::vector<T>& a, const std::vector<T>& b) {
  ASSERT_EQ(a.size(), b.size());
  EXPECT_TRUE(a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0);
}

TEST(SumsOverRanks, of_numbers_have_the_bits_of_one_process) {
  for (const std::size_t count : {1, 2, 3, 5, 8, 13, 40, 64, 100}) {
    const Whole whole = whole_of(count);
    const std::vector<double> numbers = numbers_of(whole.bounds.back());
    const auto sum = [&](const Leaves& leaves, std::size_t first_row) {
      return tree_sum<CompensatedSum>(leaves, [&](std::size_t begin, std::size_t end) {
        CompensatedSum part;
        for (std::size_t i = begin; i < end; ++i) part += numbers[first_row + i];
        return part;
      });
    };
    const CompensatedSum expected = sum(whole.one_process(), 0);
    for (int size = 1; size <= most_ranks; ++size) {
      const std::vector<std::size_t> borders = random_borders(count, size, count * 31 + static_cast<std::size_t>(size));
      EXPECT_TRUE(on_ranks(size, [&](Ranks& ranks) {
        const Leaves leaves = whole.of_rank(ranks, borders);
        EXPECT_EQ(leaves.nodes(), count);
        EXPECT_EQ(leaves.all_rows(), numbers.size());
        const CompensatedSum found = sum(leaves, whole.bounds[borders[static_cast<std::size_t>(ranks.rank())]]);
        EXPECT_EQ(bits_of(found), bits_of(expected)) << count << " leaves, " << size << " ranks";
      }));
    }
  }
}

// Vectors of every length class (up the tree, by elements), also of groups whose rows are on several ranks.
TEST(SumsOverRanks, of_vectors_have_the_bits_of_one_process) {
  struct Pair {  // not a plain number
    double sum = 0, greatest = -1e300;
    Pair& operator+=(const Pair& other) {
      sum += other.sum;
      greatest = std::max(greatest, other.greatest);
      return *this;
    }
  };
  for (const std::size_t count : {1, 3, 8, 21, 64}) {
    const Whole whole = whole_of(count);
    const std::vector<double> numbers = numbers_of(whole.bounds.back());
    for (const std::size_t length : {0, 1, 7, 5000})
      for (const std::size_t most : {100, 9, 4, 1}) {
        const auto sum = [&](const Leaves& leaves, std::size_t first_row) {
          std::vector<Pair> total(length);
          tree_sum(leaves.grouped(most), length, total.data(), [&](std::size_t begin, std::size_t end, Pair* part) {
            for (std::size_t i = first_row + begin; i < first_row + end; ++i)
              for (std::size_t j = i % 3; j < length; j += 1 + i % 7)
                part[j] += Pair{numbers[i] / double(j + 1), numbers[i]};
          });
          return total;
        };
        const std::vector<Pair> expected = sum(whole.one_process(), 0);
        for (const int size : {1, 2, 3, 4, 7}) {
          const std::vector<std::size_t> borders = random_borders(count, size, count + 97 * length + 3 * most);
          EXPECT_TRUE(on_ranks(
              size,
              [&](Ranks& ranks) {
                const Leaves leaves = whole.of_rank(ranks, borders);
                EXPECT_EQ(leaves.grouped(most).nodes(), whole.one_process().grouped(most).count());
                expect_same_bits(sum(leaves, whole.bounds[borders[static_cast<std::size_t>(ranks.rank())]]), expected);
              }))
              << count << " leaves, " << size << " ranks, length " << length << ", most " << most;
        }
      }
  }
}

// A list of rows as one node: the order is that of the list, whoever has its rows.
TEST(SumsOverRanks, of_a_list_in_its_order) {
  const Whole whole = whole_of(20);
  const std::vector<double> numbers = numbers_of(whole.bounds.back());
  double expected = 0;
  for (std::size_t i = 0; i < numbers.size(); i += 2) expected += numbers[i];
  for (const int size : {1, 2, 3, 7}) {
    const std::vector<std::size_t> borders = random_borders(20, size, 5);
    on_ranks(size, [&](Ranks& ranks) {
      const std::size_t first_row = whole.bounds[borders[static_cast<std::size_t>(ranks.rank())]],
                        end_row = whole.bounds[borders[static_cast<std::size_t>(ranks.rank()) + 1]];
      std::vector<std::size_t> list;
      for (std::size_t i = first_row; i < end_row; ++i)
        if (i % 2 == 0) list.push_back(i);
      double total = 0;
      tree_sum(whole.of_rank(ranks, borders).as_one(list.size()), 1, &total,
               [&](std::size_t begin, std::size_t end, double* part) {
                 for (std::size_t k = begin; k < end; ++k) *part += numbers[list[k]];
               });
      EXPECT_EQ(total, expected) << size;
    });
  }
}

TEST(SumsOverRanks, agree_on_small_values) {
  const Whole whole = whole_of(4);
  on_ranks(3, [&](Ranks& ranks) {
    const Leaves leaves = whole.of_rank(ranks, {0, 1, 1, 4});
    EXPECT_TRUE(any_rank(leaves, ranks.rank() == 1));
    EXPECT_FALSE(any_rank(leaves, false));
    EXPECT_EQ(sum_of_ranks(leaves, static_cast<std::size_t>(ranks.rank()) + 1), 6U);
    EXPECT_EQ(largest_of_ranks(leaves, -static_cast<double>(ranks.rank())), 0);
  });
  EXPECT_TRUE(any_rank(Leaves(), true));
  EXPECT_EQ(sum_of_ranks(Leaves(), 5), 5U);
}

// The bytes that a rank sends for a sum of d numbers: its subtrees but for its own range, then the ring.
TEST(SumsOverRanks, long_vectors_cost_two_vectors_per_rank) {
  Whole whole;
  for (std::size_t leaf = 0; leaf < 64; ++leaf) whole.bounds.push_back(whole.bounds.back() + 1);
  constexpr std::size_t length = 40000;
  on_ranks(4, [&](Ranks& ranks) {
    const Leaves leaves = whole.of_rank(ranks, {0, 16, 32, 48, 64});
    std::vector<double> total(length);
    const Ranks::Counts before = ranks.counts();
    tree_sum(leaves, length, total.data(), [&](std::size_t begin, std::size_t, double* part) { part[begin] = 1; });
    EXPECT_EQ(ranks.counts().bytes - before.bytes, 2 * length * sizeof(double) * 3 / 4);
    EXPECT_EQ(ranks.counts().messages - before.messages, 6U);
    EXPECT_EQ(std::accumulate(total.begin(), total.end(), 0.0), 64);
  });
}

}  // namespace ranks_test
}  // namespace seesaw
