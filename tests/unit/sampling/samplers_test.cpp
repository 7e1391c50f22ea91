#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <set>

#include "sampling/sampler.h"

namespace seesaw {
namespace {

const std::vector<std::uint32_t> listed = {1, 2, 5, 7, 11, 12};

std::vector<std::unique_ptr<Sampler>> every_sampler(std::uint64_t seed) {
  std::vector<std::unique_ptr<Sampler>> all;
  all.push_back(std::make_unique<UniformSampler>(listed, Rng(seed)));
  all.push_back(std::make_unique<ShuffledSampler>(listed, Rng(seed)));
  return all;
}

TEST(Samplers, draw_exactly_the_listed_rows_with_the_reported_frequencies) {
  for (const auto& sampler : every_sampler(4)) {
    std::vector<std::uint32_t> draws(60000);
    sampler->fill(draws);
    std::map<std::uint32_t, double> count;
    for (std::uint32_t row : draws) count[row] += 1;
    double chi_square = 0, total = 0;
    for (std::uint32_t row : listed) {
      const double expected = sampler->probability(row) * 60000;
      chi_square += (count[row] - expected) * (count[row] - expected) / expected;
      total += sampler->probability(row);
    }
    EXPECT_EQ(count.size(), listed.size());
    EXPECT_NEAR(total, 1, 1e-12);
    EXPECT_EQ(sampler->probability(3), 0);
    EXPECT_LT(chi_square, 20.5);  // 5 degrees of freedom: one in a thousand
  }
}

TEST(Samplers, give_the_same_rows_for_the_same_seed_however_the_blocks_are_cut) {
  for (std::size_t k = 0; k < 2; ++k) {
    const auto whole = std::move(every_sampler(9)[k]), parts = std::move(every_sampler(9)[k]),
               other = std::move(every_sampler(10)[k]);
    std::vector<std::uint32_t> a(100), b(100), c(100);
    whole->fill(a);
    parts->fill(std::span(b).first(33));
    parts->fill(std::span(b).subspan(33));
    other->fill(c);
    EXPECT_EQ(a, b);
    EXPECT_NE(a, c);
  }
}

TEST(ShuffledSampler, visits_every_row_once_a_pass_in_changing_order) {
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

}  // namespace
}  // namespace seesaw
