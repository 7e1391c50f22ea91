#include "sampling/ramped.h"

#include <gtest/gtest.h>

namespace seesaw {
namespace ramped_test {

const std::vector<std::uint32_t> listed = {12, 1, 2, 5};
const std::vector<double> weights = {2, 0, 6, 8};

void expect_delta(const RampedSampler& sampler, double delta) {
  for (std::size_t k = 0; k < listed.size(); ++k)
    EXPECT_NEAR(sampler.probability(listed[k]), (1 - delta) / 4 + delta * weights[k] / 16, 1e-15) << delta;
  for (std::uint32_t row : {0, 3, 13, 1000}) EXPECT_EQ(sampler.probability(row), 0);
}

TEST(RampedSampler, increases_delta_with_every_draw) {
  RampedSampler sampler(listed, weights, {.delta_begin = 0.2, .delta_end = 0.8, .draws = 4}, Rng(1));
  for (const double delta : {0.2, 0.35, 0.5, 0.65, 0.8, 0.8, 0.8}) {
    expect_delta(sampler, delta);
    std::uint32_t row = 0;
    sampler.fill({&row, 1});
    expect_delta(sampler, delta);
    EXPECT_EQ(sampler.block() == 1, delta < 0.8);
    sampler.feedback(row, 100);  // the size is ignored
    sampler.end_pass();
  }
}

TEST(RampedSampler, has_delta_end_from_the_start_without_a_ramp) {
  RampedSampler at_once(listed, weights, {.delta_begin = 0.2, .delta_end = 0.8, .draws = 0}, Rng(1));
  expect_delta(at_once, 0.8);
}

}  // namespace ramped_test
}  // namespace seesaw
