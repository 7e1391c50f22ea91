// When a run came within a gap, and what several seeds say together.
#include "study/milestones.h"

#include <gtest/gtest.h>

#include "unit/study/studies.h"

namespace seesaw {
namespace {

using test::record_of;

std::optional<Milestone> arrived(double passes) { return Milestone{passes, passes / 10, 2 * passes}; }
constexpr std::nullopt_t never = std::nullopt;

TEST(Milestones, are_the_first_check_within_the_gap) {
  const RunRecord run = record_of({{1, 0.5}, {2, 0.01}, {3, 0.001}, {4, 0.001}});
  const auto met = first_within(run, 1e-2);
  ASSERT_TRUE(met);
  EXPECT_EQ(met->passes, 2);
  EXPECT_EQ(met->seconds, 0.2);
  EXPECT_EQ(met->entries, 4);
  EXPECT_EQ(first_within(run, 5e-3)->passes, 3);
  EXPECT_FALSE(first_within(run, 1e-4));
  EXPECT_FALSE(first_within(record_of({}), 1));
}

TEST(Milestones, are_relative_to_the_primal_value_unless_said_otherwise) {
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

TEST(Medians, of_seeds_count_those_that_did_not_arrive_as_late) {
  EXPECT_EQ(median({arrived(7), arrived(5), arrived(9)})->passes, 7);
  EXPECT_EQ(median({arrived(7), never, arrived(5)})->passes, 7);
  EXPECT_EQ(median({arrived(7), never, arrived(5), arrived(4)})->passes, 6);
  EXPECT_EQ(median({arrived(7), arrived(5)})->seconds, 0.6);
  EXPECT_EQ(median({arrived(7), arrived(5)})->entries, 12);
}

TEST(Medians, are_nothing_where_half_of_the_seeds_did_not_arrive) {
  EXPECT_FALSE(median({arrived(7), never}));
  EXPECT_FALSE(median({never, arrived(7), never}));
  EXPECT_FALSE(median(std::vector<std::optional<Milestone>>{}));
}

}  // namespace
}  // namespace seesaw
