#include "sampling/shuffled.h"

#include <gtest/gtest.h>

#include <set>

namespace seesaw {
namespace shuffled_test {

const std::vector<std::uint32_t> listed = {1, 2, 5, 7, 11, 12};

TEST(ShuffledSampler, visits_every_row_once_per_pass_in_changing_order) {
  ShuffledSampler sampler(listed, Rng(2));
  std::set<std::vector<std::uint32_t>> orders;
  for (int pass = 0; pass < 20; ++pass) {
    std::vector<std::uint32_t> order(listed.size());
    sampler.fill(order);
    orders.insert(order);
    EXPECT_EQ(std::set<std::uint32_t>(order.begin(), order.end()),
              std::set<std::uint32_t>(listed.begin(), listed.end()));
  }
  EXPECT_GT(orders.size(), 10u);
}

}  // namespace shuffled_test
}  // namespace seesaw
