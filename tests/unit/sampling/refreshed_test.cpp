#include "sampling/refreshed.h"

#include <gtest/gtest.h>

#include <cmath>

namespace seesaw {
namespace refreshed_test {

const std::vector<std::uint32_t> listed = {4, 1, 2};
const std::vector<double> sizes = {100, 0, 4, 100, 9};  // of rows 1, 2, 4: 0, 4, 9

TEST(RefreshedSampler, follows_the_last_sizes_with_the_delta_of_their_draw) {
  RefreshedSampler sampler(listed, {.delta_begin = 0.2, .delta_end = 0.6, .draws = 4}, 0.5, 2, Rng(3));
  EXPECT_EQ(sampler.block(), 2u);
  for (std::uint32_t row : listed) EXPECT_NEAR(sampler.probability(row), 1.0 / 3, 1e-15);
  for (const double delta : {0.2, 0.4, 0.6, 0.6}) {  // two draws each
    sampler.refresh(sizes);
    const double total = 2 + 3 + 1e-150;
    EXPECT_NEAR(sampler.probability(4), (1 - delta) / 3 + delta * 3 / total, 1e-15) << delta;
    EXPECT_NEAR(sampler.probability(2), (1 - delta) / 3 + delta * 2 / total, 1e-15) << delta;
    EXPECT_NEAR(sampler.probability(1), (1 - delta) / 3, 1e-15) << delta;
    for (std::uint32_t row : {0, 3, 5}) EXPECT_EQ(sampler.probability(row), 0);
    std::uint32_t drawn[2];
    sampler.fill(drawn);
    for (std::uint32_t row : drawn) sampler.feedback(row, 1);
  }
}

TEST(RefreshedSampler, is_uniform_with_kappa_0) {
  RefreshedSampler sampler(listed, {.delta_begin = 0.9, .delta_end = 0.9, .draws = 0}, 0, 1, Rng(3));
  sampler.refresh(sizes);
  for (std::uint32_t row : listed) EXPECT_NEAR(sampler.probability(row), 1.0 / 3, 1e-15);
}

}  // namespace refreshed_test
}  // namespace seesaw
