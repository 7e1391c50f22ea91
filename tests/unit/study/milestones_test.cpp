// The cost at which a run reached a gap, and its median over seeds.
#include "study/milestones.h"

#include <gtest/gtest.h>

#include "unit/study/studies.h"

namespace seesaw {
namespace milestones_test {

using test::record_of;

std::optional<Milestone> reached(double passes) { return Milestone{passes, passes / 10, 2 * passes}; }
constexpr std::nullopt_t never = std::nullopt;

TEST(Milestones, are_the_first_check_within_the_gap) {
  const RunRecord run = record_of({{1, 0.5}, {2, 0.01}, {3, 0.001}, {4, 0.001}});
  const auto milestone = first_within(run, 1e-2);
  ASSERT_TRUE(milestone);
  EXPECT_EQ(milestone->passes, 2);
  EXPECT_EQ(milestone->seconds, 0.2);
  EXPECT_EQ(milestone->entries, 4);
  EXPECT_EQ(first_within(run, 5e-3)->passes, 3);
  EXPECT_FALSE(first_within(run, 1e-4));
  EXPECT_FALSE(first_within(record_of({}), 1));
}

TEST(Milestones, are_relative_to_the_primal_value) {
  RunRecord run = record_of({{1, 0.5}, {2, 0.05}});
  for (TraceRow& check : run.checks) check.primal = 100;
  EXPECT_EQ(first_within(run, 1e-2)->passes, 1);
}

TEST(Milestones, of_a_gap_that_is_not_finite_are_never_met) {
  EXPECT_FALSE(first_within(record_of({{1, infinity}}), 1e-2));
}

TEST(Medians, of_numbers) {
  EXPECT_EQ(median(std::vector<double>{3, 1, 2}), 2);
  EXPECT_EQ(median(std::vector<double>{4, 1, 3, 2}), 2.5);
  EXPECT_EQ(median(std::vector<double>{1, infinity}), infinity);
  EXPECT_EQ(median(std::vector<double>{}), infinity);
}

TEST(Medians, of_seeds_count_those_that_did_not_converge_as_infinite) {
  EXPECT_EQ(median({reached(7), reached(5), reached(9)})->passes, 7);
  EXPECT_EQ(median({reached(7), never, reached(5)})->passes, 7);
  EXPECT_EQ(median({reached(7), never, reached(5), reached(4)})->passes, 6);
  EXPECT_EQ(median({reached(7), reached(5)})->seconds, 0.6);
  EXPECT_EQ(median({reached(7), reached(5)})->entries, 12);
}

TEST(Medians, are_empty_if_half_of_the_seeds_did_not_converge) {
  EXPECT_FALSE(median({reached(7), never}));
  EXPECT_FALSE(median({never, reached(7), never}));
  EXPECT_FALSE(median(std::vector<std::optional<Milestone>>{}));
}

}  // namespace milestones_test
}  // namespace seesaw
