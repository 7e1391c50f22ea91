#include "run/criteria.h"

#include <gtest/gtest.h>

#include "seesaw/error.h"

namespace seesaw {
namespace criteria_test {

StopState underway() {
  StopState s;
  s.passes = 10;
  s.seconds = 1;
  s.primal = 2;
  s.gap = 1;
  s.first_primal = 5;
  s.latest_primal = 2;
  s.passes_of_progress = 10;
  return s;
}

TEST(Decide, continues_while_no_criterion_is_met) { EXPECT_EQ(decide({}, underway()), std::nullopt); }

TEST(Decide, converges_by_the_relative_gap) {
  StopState s = underway();
  s.gap = 2e-4;
  EXPECT_EQ(decide({}, s), Termination::converged);
  s.gap = 2.1e-4;
  EXPECT_EQ(decide({}, s), std::nullopt);
}

TEST(Decide, converges_by_the_absolute_gap_and_zero_is_off) {
  Criteria c;
  c.gap = 0;
  StopState s = underway();
  s.gap = 1e-9;
  EXPECT_EQ(decide(c, s), std::nullopt);
  c.gap_abs = 1e-8;
  EXPECT_EQ(decide(c, s), Termination::converged);
}

TEST(Decide, ends_at_limits_and_prefers_convergence_to_them) {
  Criteria c;
  c.max_passes = 10;
  EXPECT_EQ(decide(c, underway()), Termination::pass_limit);
  c.max_passes = 100;
  c.seconds = 0.5;
  EXPECT_EQ(decide(c, underway()), Termination::time_limit);
  StopState s = underway();
  s.gap = 0;
  EXPECT_EQ(decide(c, s), Termination::converged);
}

TEST(Decide, bounds_that_are_not_finite_never_converge) {
  StopState s = underway();
  s.primal = s.gap = s.latest_primal = infinity;
  EXPECT_EQ(decide({}, s), Termination::diverged);
  s.gap = NAN;
  EXPECT_EQ(decide({}, s), Termination::diverged);
}

TEST(Criteria, absolute_gap_alone_switches_the_relative_one_off) {
  Criteria c;
  c.choose_gaps({}, {});
  EXPECT_EQ(c.gap, 1e-4);
  c.choose_gaps({}, 1e-3);
  EXPECT_EQ(c.gap, 0);
  EXPECT_EQ(c.gap_abs, 1e-3);
  c.choose_gaps(1e-5, 1e-3);
  EXPECT_EQ(c.gap, 1e-5);
}

TEST(Decide, detects_interruption_divergence_and_stalling) {
  StopState s = underway();
  s.interrupted = true;
  EXPECT_EQ(decide({}, s), Termination::interrupted);
  s = underway();
  s.latest_primal = infinity;
  EXPECT_EQ(decide({}, s), Termination::diverged);
  s.latest_primal = 6e6;
  EXPECT_EQ(decide({}, s), Termination::diverged);
  s = underway();
  s.passes = 400;
  s.passes_of_progress = 201;
  EXPECT_EQ(decide({}, s), std::nullopt);
  s.passes_of_progress = 200;
  s.stationary = true;
  EXPECT_EQ(decide({}, s), Termination::stalled);
  s.stationary = false;  // the latest point still differs from the best
  EXPECT_EQ(decide({}, s), std::nullopt);
  s.passes_of_progress = 400;
  s.passes = 3999;
  EXPECT_EQ(decide({}, s), std::nullopt);
  s.passes = 4000;
  EXPECT_EQ(decide({}, s), Termination::stalled);
}

TEST(NextCheck, grows_by_five_percent_and_never_passes_the_limit) {
  EXPECT_EQ(next_check({}, 0, {}), 1);
  EXPECT_EQ(next_check({}, 1, {}), 4);
  EXPECT_EQ(next_check({}, 10, {}), 13);
  EXPECT_DOUBLE_EQ(next_check({}, 100, {}), 105);
  Criteria c;
  c.check_every = 7;
  EXPECT_EQ(next_check(c, 100, {1, 1, 1}), 107);
  c.max_passes = 103;
  EXPECT_EQ(next_check(c, 100, {1, 1, 1}), 103);
}

TEST(NextCheck, is_earlier_if_convergence_is_near) {
  EXPECT_EQ(next_check({}, 10, {4}), 12);
  EXPECT_EQ(next_check({}, 10, {0.5}), 11);
  EXPECT_EQ(next_check({}, 1000, {20}), 1010);
}

TEST(NextCheck, trusts_only_two_forecasts_that_agree) {
  EXPECT_EQ(next_check({}, 200, {80, 50, 1}), 235);         // 70 % of the shorter one
  EXPECT_DOUBLE_EQ(next_check({}, 100, {41, 20, 1}), 105);  // more than a factor of two
  EXPECT_DOUBLE_EQ(next_check({}, 100, {20, 41, 1}), 105);
  EXPECT_EQ(next_check({}, 100, {1000, 1000, 1}), 125);  // a quarter of the passes done
  EXPECT_EQ(next_check({}, 100, {12, 12, 1}), 112);      // an error of 30 % would cost less than 5 % of the passes
  EXPECT_EQ(next_check({}, 6, {3, 3, 1}), 9);            // or one pass
  EXPECT_EQ(next_check({}, 10, {infinity, infinity, 1}), 13);
}

TEST(NextCheck, waits_for_decades_that_one_pass_cannot_gain) {
  EXPECT_DOUBLE_EQ(next_check({}, 0, {infinity, infinity, 6}), 3.6);
  EXPECT_DOUBLE_EQ(next_check({}, 3, {1, infinity, 5}), 6);
}

TEST(Forecaster, predicts_by_the_last_rate_and_the_one_before) {
  Forecaster forecaster;
  Forecast f = forecaster.update({0, 1}, 1e-6);
  EXPECT_EQ(f.passes, infinity);
  EXPECT_EQ(f.previous, infinity);
  EXPECT_NEAR(f.decades, 6, 1e-12);
  f = forecaster.update({2, 1e-1}, 1e-6);  // half a decade per pass: converges at 12
  EXPECT_NEAR(f.passes, 10, 1e-12);
  EXPECT_EQ(f.previous, infinity);
  f = forecaster.update({4, 1e-3}, 1e-6);  // a decade per pass: converges at 7
  EXPECT_NEAR(f.passes, 3, 1e-12);
  EXPECT_NEAR(f.previous, 8, 1e-12);
  f = forecaster.update({8, 1e-4}, 1e-6);  // the forecast has passed
  EXPECT_NEAR(f.passes, 8, 1e-12);
  EXPECT_EQ(f.previous, infinity);
  EXPECT_EQ(forecaster.update({9, 1e-7}, 1e-6).decades, 0);
  EXPECT_EQ(forecaster.update({10, 1e-7}, 0).decades, 0);  // no gap ends the run
}

// A gap that falls at a constant or a changing rate: the number of checks and of superfluous passes.
TEST(NextCheck, makes_few_checks_and_few_superfluous_passes) {
  for (const double first : {0.02, 0.05, 0.2, 1.0})  // decades per pass
    for (const double last : {0.02, 0.05, 0.2, 1.0}) {
      const auto decades = [&](double pass) {  // the rate changes over a third of the decades
        double sum = 0;
        for (double k = 0; k < pass; ++k) sum += sum < 2 ? first : sum < 4 ? (first + last) / 2 : last;
        return sum;
      };
      double needed = 0, passes = 0;
      while (decades(needed) < 6) ++needed;
      Forecaster forecaster;
      int checks = 0;
      for (;; ++checks) {
        const double gap = std::pow(10, -decades(passes));
        if (decades(passes) >= 6) break;
        passes = std::ceil(next_check({}, passes, forecaster.update({passes, gap}, 1e-6)));
      }
      const double superfluous = last <= 5 * first ? 0.05 : 0.25;  // a sudden fall cannot be predicted
      EXPECT_LE(passes, std::ceil(std::max(needed + 1, (1 + superfluous) * needed))) << first << ' ' << last;
      EXPECT_LE(checks, 6 + needed / 10) << first << ' ' << last;
    }
}

TEST(NextRoutineCheck, is_rare) {
  EXPECT_EQ(next_routine_check({}, 0), 25);
  EXPECT_EQ(next_routine_check({}, 100), 150);
  EXPECT_EQ(next_routine_check({.max_passes = 120}, 100), 120);
  EXPECT_EQ(next_routine_check({.check_every = 3}, 100), 103);
}

TEST(PredictedPasses, extrapolates_a_geometric_rate) {
  EXPECT_NEAR(predicted_passes({10, 1e-2}, {12, 1e-3}, 1e-6), 6, 1e-12);
  EXPECT_EQ(predicted_passes({10, 1e-3}, {12, 1e-3}, 1e-6), infinity);
  EXPECT_EQ(predicted_passes({10, infinity}, {12, 1e-3}, 1e-6), infinity);
  EXPECT_EQ(predicted_passes({10, 1e-2}, {12, 1e-7}, 1e-6), 0);
}

TEST(Criteria, refuses_negative_numbers_by_name) {
  Criteria c;
  c.gap = -1;
  EXPECT_THROW(validate(c), InvalidOption);
  c = {};
  c.seconds = NAN;
  EXPECT_THROW(validate(c), InvalidOption);
}

}  // namespace criteria_test
}  // namespace seesaw
