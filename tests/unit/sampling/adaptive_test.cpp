#include "sampling/adaptive.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "sampling/uniform.h"

namespace seesaw {
namespace adaptive_test {

const std::vector<std::uint32_t> listed = {1, 2, 5, 7, 11, 12};

TEST(AdaptiveSampler, mixes_uniform_and_the_scores_of_the_last_feedback) {
  for (double kappa : {0.5, 1.0, 0.3}) {
    AdaptiveSampler sampler(listed, {.delta_begin = 0.7, .delta_end = 0.7, .kappa = kappa}, Rng(1));
    std::map<std::uint32_t, double> c;
    for (std::uint32_t row : listed) c[row] = 1;
    Rng rng(2);
    for (int t = 0; t < 200; ++t) {
      double sum = 0;
      for (std::uint32_t row : listed) sum += c[row];
      for (std::uint32_t row : listed) EXPECT_NEAR(sampler.probability(row), 0.3 / 6 + 0.7 * c[row] / sum, 1e-14);
      for (std::uint32_t row : {0, 3, 6, 13, 1000}) EXPECT_EQ(sampler.probability(row), 0);
      const std::uint32_t row = listed[rng.below(6)];
      const double size = 10 * rng.uniform();
      sampler.feedback(row, size);
      c[row] = std::pow(size, kappa);
    }
  }
}

TEST(AdaptiveSampler, draws_rows_without_changes_by_the_uniform_part) {
  AdaptiveSampler sampler(listed, {.delta_begin = 0.7, .delta_end = 0.7}, Rng(1));
  for (std::uint32_t row : listed) sampler.feedback(row, row == 5 ? 1e-30 : 0);
  EXPECT_NEAR(sampler.probability(2), 0.3 / 6, 1e-14);
  EXPECT_NEAR(sampler.probability(5), 0.3 / 6 + 0.7, 1e-14);
  sampler.feedback(5, 0);  // all scores are equal again
  for (std::uint32_t row : listed) EXPECT_NEAR(sampler.probability(row), 1.0 / 6, 1e-14);
}

TEST(AdaptiveSampler, ramps_delta_over_the_draws_fed_back) {
  AdaptiveSampler sampler(listed, {.delta_begin = 0.2, .delta_end = 0.8, .ramp = 100}, Rng(1));
  std::vector<std::uint32_t> row(1);
  for (int t = 0; t < 150; ++t) {
    EXPECT_NEAR(sampler.delta(), std::min(0.8, 0.2 + 0.6 * t / 100), 1e-15);
    sampler.fill(row);
    sampler.feedback(row[0], 1);
  }
  EXPECT_EQ(sampler.delta(), 0.8);
  EXPECT_EQ(AdaptiveSampler(listed, {.delta_begin = 0.2, .delta_end = 0.8}, Rng(1)).delta(), 0.8);
  EXPECT_EQ(sampler.block(), 1u);
}

TEST(AdaptiveSampler, draws_the_rows_of_the_uniform_sampler_when_delta_is_zero) {
  AdaptiveSampler adaptive(listed, {.delta_begin = 0, .delta_end = 0, .ramp = 50}, Rng(3));
  UniformSampler uniform(listed, Rng(3));
  Rng sizes(4);
  for (std::size_t length = 1; length < 200; ++length) {
    std::vector<std::uint32_t> a(length), b(length);
    adaptive.fill(a);
    uniform.fill(b);
    ASSERT_EQ(a, b);
    for (std::uint32_t row : a) {
      ASSERT_EQ(adaptive.probability(row), uniform.probability(row));
      adaptive.feedback(row, sizes.uniform());
    }
  }
}

}  // namespace adaptive_test
}  // namespace seesaw
