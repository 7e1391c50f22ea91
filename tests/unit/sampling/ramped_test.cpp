#include "sampling/ramped.h"

#include <gtest/gtest.h>

namespace seesaw {
namespace {

const std::vector<std::uint32_t> listed = {12, 1, 2, 5};
const std::vector<double> weights = {2, 0, 6, 8};

void expect_delta(const RampedSampler& sampler, double delta) {
  for (std::size_t k = 0; k < listed.size(); ++k)
    EXPECT_NEAR(sampler.probability(listed[k]), (1 - delta) / 4 + delta * weights[k] / 16, 1e-15) << delta;
  for (std::uint32_t row : {0, 3, 13, 1000}) EXPECT_EQ(sampler.probability(row), 0);
}

TEST(RampedSampler, increases_delta_with_every_pass) {
  RampedSampler sampler(listed, weights, {.delta_begin = 0.2, .delta_end = 0.8, .passes = 4}, Rng(1));
  for (const double delta : {0.2, 0.35, 0.5, 0.65, 0.8, 0.8, 0.8}) {
    expect_delta(sampler, delta);
    std::vector<std::uint32_t> rows(50);
    sampler.fill(rows);
    for (std::uint32_t row : rows) sampler.feedback(row, 100);  // ignored
    expect_delta(sampler, delta);
    sampler.end_pass();
  }
}

TEST(RampedSampler, reaches_delta_end_also_if_the_ramp_is_fractional_or_zero) {
  RampedSampler at_once(listed, weights, {.delta_begin = 0.2, .delta_end = 0.8, .passes = 0}, Rng(1));
  expect_delta(at_once, 0.8);
  RampedSampler in_between(listed, weights, {.delta_begin = 0.2, .delta_end = 0.8, .passes = 1.5}, Rng(1));
  expect_delta(in_between, 0.2);
  in_between.end_pass();
  expect_delta(in_between, 0.6);
  in_between.end_pass();
  expect_delta(in_between, 0.8);
}

}  // namespace
}  // namespace seesaw
