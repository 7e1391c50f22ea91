#include "sampling/epoch.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <map>

namespace seesaw {
namespace epoch_test {

const std::vector<std::uint32_t> listed = {12, 1, 2, 5, 7, 11};
const std::vector<double> p0 = {2, 4, 6, 8, 0, 20};

TEST(EpochSampler, changes_at_the_end_of_a_pass_only) {
  EpochSampler sampler(listed, p0, {.delta = 0.3}, Rng(1));
  std::map<std::uint32_t, double> c;
  const auto expect_table_of = [&](std::map<std::uint32_t, double> scores) {
    double sum = 0;
    for (const auto& [row, score] : scores) sum += score;
    for (std::size_t k = 0; k < listed.size(); ++k)
      EXPECT_NEAR(sampler.probability(listed[k]), 0.7 * p0[k] / 40 + 0.3 * scores[listed[k]] / sum, 1e-14);
    for (std::uint32_t row : {0, 3, 13, 1000}) EXPECT_EQ(sampler.probability(row), 0);
  };
  for (std::uint32_t row : listed) c[row] = 1;
  auto at_last_end = c;
  Rng sizes(2);
  for (int pass = 0; pass < 5; ++pass) {
    std::vector<std::uint32_t> rows(4);  // rows that are not drawn keep their scores
    sampler.fill(rows);
    for (std::uint32_t row : rows) {
      const double size = 100 * sizes.uniform();
      sampler.feedback(row, size);
      c[row] = std::sqrt(size);
      expect_table_of(at_last_end);
    }
    sampler.end_pass();
    expect_table_of(c);
    at_last_end = c;
  }
  EXPECT_EQ(sampler.block(), Sampler::unlimited);
}

TEST(EpochSampler, draws_the_rows_of_the_importance_sampler_when_delta_is_zero) {
  EpochSampler epoch(listed, p0, {.delta = 0}, Rng(3));
  AliasSampler importance(listed, p0, Rng(3));
  for (int pass = 0; pass < 20; ++pass) {
    std::vector<std::uint32_t> a(100), b(100);
    epoch.fill(a);
    importance.fill(b);
    ASSERT_EQ(a, b);
    for (std::uint32_t row : a) {
      ASSERT_EQ(epoch.probability(row), importance.probability(row));
      epoch.feedback(row, row);
    }
    epoch.end_pass();
  }
}

TEST(AliasSampler, draws_uniformly_where_a_probability_has_overflowed) {
  for (const double bad : {std::numeric_limits<double>::infinity(), std::nan("")}) {
    std::vector<double> p = p0;
    p[1] = bad;
    AliasSampler sampler(listed, p, Rng(1));
    for (const std::uint32_t row : listed)
      EXPECT_EQ(sampler.probability(row), 1.0 / static_cast<double>(listed.size()));
  }
}

TEST(AliasSampler, can_be_given_other_probabilities) {
  AliasSampler sampler(listed, p0, Rng(1));
  EXPECT_DOUBLE_EQ(sampler.probability(11), 0.5);
  sampler.reset(std::vector<double>{0, 0, 3, 0, 1, 0});
  EXPECT_DOUBLE_EQ(sampler.probability(2), 0.75);
  EXPECT_DOUBLE_EQ(sampler.probability(7), 0.25);
  std::vector<std::uint32_t> rows(1000);
  sampler.fill(rows);
  for (std::uint32_t row : rows) EXPECT_TRUE(row == 2 || row == 7) << row;
}

}  // namespace epoch_test
}  // namespace seesaw
