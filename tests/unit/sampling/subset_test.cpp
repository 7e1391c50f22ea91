#include "sampling/subset.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

namespace seesaw {
namespace subset_test {

TEST(SubsetSampler, draws_distinct_rows_and_every_subset_equally_often) {
  SubsetSampler sampler({1, 2, 5, 7, 11}, Rng(2));
  std::map<std::set<std::uint32_t>, int> seen;
  for (int t = 0; t < 20000; ++t) {
    std::vector<std::uint32_t> batch(3);
    sampler.fill(batch);
    ++seen[std::set<std::uint32_t>(batch.begin(), batch.end())];
  }
  EXPECT_EQ(seen.size(), 10u);
  for (const auto& [subset, count] : seen) {
    EXPECT_EQ(subset.size(), 3u);
    EXPECT_NEAR(count, 2000, 5 * 45);
  }
  EXPECT_EQ(sampler.block(), 5u);
}

}  // namespace subset_test
}  // namespace seesaw
