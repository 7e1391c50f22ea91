// Properties of every sampler. A new one is tested by adding it to every_sampler().
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <string>

#include "sampling/adaptive.h"
#include "sampling/epoch.h"
#include "sampling/importance.h"
#include "sampling/ramped.h"
#include "sampling/refreshed.h"
#include "sampling/shuffled.h"
#include "sampling/subset.h"
#include "sampling/uniform.h"

namespace seesaw {
namespace samplers_test {

using Rows = std::vector<std::uint32_t>;

// Two of three rows, out of order.
Rows listed(std::uint32_t n) {
  Rows rows;
  for (std::uint32_t row = 0; rows.size() < n; ++row)
    if (row % 3 != 1) rows.push_back(row);
  Rng(17).shuffle(std::span(rows));
  return rows;
}

std::vector<double> over_orders_of_magnitude(double orders, std::size_t n) {
  Rng rng(3);
  std::vector<double> values(n);
  for (double& value : values) value = 7 * std::pow(10, -orders * rng.uniform());
  return values;
}

std::vector<double> with_zeros(std::vector<double> values) {
  for (std::size_t k = 0; k < values.size(); k += 5) values[k] = 0;
  return values;
}

// A sampler after feedback, if it uses any: sizes over twice as many orders of magnitude, since square roots are used.
std::unique_ptr<Sampler> with_feedback(std::unique_ptr<Sampler> sampler, const Rows& rows) {
  const auto sizes = over_orders_of_magnitude(12, rows.size());
  for (std::size_t k = 0; k < rows.size(); ++k)
    if (k % 7 != 0) sampler->feedback(rows[k], sizes[k]);
  sampler->end_pass();
  return sampler;
}

struct Named {
  std::string name;
  std::function<std::unique_ptr<Sampler>(const Rows& rows, std::uint64_t seed)> make;
};

const std::vector<Named>& every_sampler() {
  static const auto adaptive = [](double begin, double end, std::uint64_t ramp) {
    return [=](const Rows& rows, std::uint64_t seed) {
      return std::make_unique<AdaptiveSampler>(rows, Adaptivity{begin, end, ramp, 0.5}, Rng(seed));
    };
  };
  static const auto epoch = [](double delta, double kappa) {
    return [=](const Rows& rows, std::uint64_t seed) {
      const auto p0 = over_orders_of_magnitude(2, rows.size());
      return std::make_unique<EpochSampler>(rows, p0, EpochAdaptivity{delta, kappa}, Rng(seed));
    };
  };
  static const std::vector<Named> all = {
      {"uniform", [](const Rows& rows, auto seed) { return std::make_unique<UniformSampler>(rows, Rng(seed)); }},
      {"shuffled", [](const Rows& rows, auto seed) { return std::make_unique<ShuffledSampler>(rows, Rng(seed)); }},
      {"subset", [](const Rows& rows, auto seed) { return std::make_unique<SubsetSampler>(rows, Rng(seed)); }},
      {"importance",
       [](const Rows& rows, auto seed) {
         return std::make_unique<AliasSampler>(rows, over_orders_of_magnitude(6, rows.size()), Rng(seed));
       }},
      {"importance with zeros",
       [](const Rows& rows, auto seed) {
         return std::make_unique<AliasSampler>(rows, with_zeros(over_orders_of_magnitude(6, rows.size())), Rng(seed));
       }},
      {"adaptive", adaptive(0.2, 0.8, 1500)},
      {"adaptive, uniform only", adaptive(0, 0, 0)},
      {"adaptive, scores only", adaptive(1, 1, 0)},
      {"epoch", epoch(0.5, 0.5)},
      {"epoch, scores only", epoch(1, 0.4)},
      {"ramped",
       [](const Rows& rows, auto seed) {
         return std::make_unique<RampedSampler>(rows, over_orders_of_magnitude(6, rows.size()), Ramp{0.2, 0.8, 1500},
                                                Rng(seed));
       }},
      {"refreshed",
       [](const Rows& rows, auto seed) {
         auto sampler = std::make_unique<RefreshedSampler>(rows, Ramp{0.2, 0.8, 0}, 0.5, 50, Rng(seed));
         sampler->refresh(over_orders_of_magnitude(6, *std::max_element(rows.begin(), rows.end()) + 1));
         return sampler;
       }},
  };
  return all;
}

// Draws `count` rows in blocks of at most 50.
Rows drawn_from(Sampler& sampler, std::size_t count) {
  Rows draws(count);
  const std::size_t block = std::min<std::size_t>(sampler.block(), 50);
  for (std::size_t begin = 0; begin < count; begin += block)
    sampler.fill(std::span(draws).subspan(begin, std::min(block, count - begin)));
  return draws;
}

// A quantile of chi-square with that many degrees of freedom: exceeded with probability below 1e-6.
double limit_of_chi_square(double freedom) { return freedom + 5 * std::sqrt(2 * freedom) + 25; }

TEST(SamplerLaws, rows_are_drawn_with_their_probability_and_others_never) {
  const Rows rows = listed(1000);
  constexpr std::size_t count = 500000;
  for (const Named& named : every_sampler()) {
    SCOPED_TRACE(named.name);
    const auto sampler = with_feedback(named.make(rows, 4), rows);
    std::vector<double> seen(2000);
    for (std::uint32_t row : drawn_from(*sampler, count)) seen.at(row) += 1;
    double chi_square = 0, total = 0, rare_seen = 0, rare_expected = 0, cells = 0;
    for (std::uint32_t row = 0; row < 2000; ++row) {
      const double p = sampler->probability(row), expected = p * count;
      total += p;
      EXPECT_TRUE(p > 0 || seen[row] == 0) << row;
      EXPECT_TRUE(p == 0 || std::find(rows.begin(), rows.end(), row) != rows.end()) << row;
      if (expected < 10) {  // too rare for a separate cell
        rare_seen += seen[row];
        rare_expected += expected;
      } else {
        chi_square += (seen[row] - expected) * (seen[row] - expected) / expected;
        cells += 1;
      }
    }
    EXPECT_NEAR(total, 1, 1e-12);
    EXPECT_GT(cells, 100);
    EXPECT_LT(chi_square, limit_of_chi_square(cells));
    EXPECT_LT(std::abs(rare_seen - rare_expected), 5 * std::sqrt(rare_expected) + 5);
  }
}

TEST(SamplerLaws, same_seed_same_rows) {
  const Rows rows = listed(40);
  for (const Named& named : every_sampler()) {
    SCOPED_TRACE(named.name);
    const auto one = with_feedback(named.make(rows, 9), rows), same = with_feedback(named.make(rows, 9), rows),
               other = with_feedback(named.make(rows, 10), rows);
    const Rows draws = drawn_from(*one, 100);
    EXPECT_EQ(drawn_from(*same, 100), draws);
    EXPECT_NE(drawn_from(*other, 100), draws);
  }
}

TEST(SamplerLaws, rows_do_not_depend_on_the_block_size) {
  const Rows rows = listed(40);
  for (const Named& named : every_sampler()) {
    if (named.name == "subset") continue;  // its blocks are batches
    SCOPED_TRACE(named.name);
    const auto whole = with_feedback(named.make(rows, 9), rows), parts = with_feedback(named.make(rows, 9), rows);
    Rows a(100), b(100);
    whole->fill(a);
    parts->fill(std::span(b).first(33));
    parts->fill(std::span(b).subspan(33));
    EXPECT_EQ(a, b);
  }
}

// Also with feedback: draws agree with the probabilities before the draw, which do not change until the feedback.
TEST(SamplerLaws, probability_is_that_of_the_next_draw_and_of_the_one_before_its_feedback) {
  const Rows rows = listed(60);
  constexpr int count = 30000;
  for (const Named& named : every_sampler()) {
    SCOPED_TRACE(named.name);
    const auto sampler = named.make(rows, 5);
    ASSERT_GE(sampler->block(), 1u);
    Rng sizes(6);
    double surplus = 0;  // draws of every other row minus their expectation: a martingale
    for (int t = 0; t < count; ++t) {
      std::vector<double> p(rows.size());
      for (std::size_t k = 0; k < rows.size(); ++k) p[k] = sampler->probability(rows[k]);
      Rows drawn(1);
      sampler->fill(drawn);
      for (std::size_t k = 0; k < rows.size(); ++k) {
        ASSERT_EQ(sampler->probability(rows[k]), p[k]);
        if (k % 2 == 0) surplus += (drawn[0] == rows[k]) - p[k];
      }
      // Large feedback for even rows.
      sampler->feedback(drawn[0], drawn[0] % 2 == 0 ? 1 + sizes.uniform() : 1e-3 * sizes.uniform());
      if (t % 60 == 59) sampler->end_pass();
    }
    EXPECT_LT(std::abs(surplus), 5 * std::sqrt(count) / 2);
  }
}

TEST(SamplerLaws, stay_usable_whatever_is_fed_back) {
  const Rows rows = listed(50);
  for (const Named& named : every_sampler()) {
    SCOPED_TRACE(named.name);
    const auto sampler = named.make(rows, 5);
    for (double size : {0.0, double(INFINITY), double(NAN), 1e308, 1e-320}) {
      for (std::uint32_t row : rows) {
        if (sampler->probability(row) > 0) sampler->feedback(row, size);
        Rows drawn(3);
        sampler->fill(drawn);
        for (std::uint32_t one : drawn) ASSERT_GT(sampler->probability(one), 0);
      }
      sampler->end_pass();
      double total = 0;
      for (std::uint32_t row : rows) total += sampler->probability(row);
      EXPECT_NEAR(total, 1, 1e-12);
    }
  }
}

TEST(SamplerLaws, a_single_row_is_always_drawn) {
  for (const Named& named : every_sampler()) {
    if (named.name == "importance with zeros") continue;
    SCOPED_TRACE(named.name);
    const auto sampler = with_feedback(named.make({7}, 1), {7});
    EXPECT_EQ(drawn_from(*sampler, 20), Rows(20, 7));
    EXPECT_EQ(sampler->probability(7), 1);
    EXPECT_EQ(sampler->probability(6), 0);
    EXPECT_EQ(sampler->probability(4000000000u), 0);
  }
}

}  // namespace samplers_test
}  // namespace seesaw
