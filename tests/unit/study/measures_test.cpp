#include "study/measures.h"

#include <gtest/gtest.h>

#include <cmath>

namespace seesaw {
namespace measures_test {

// P = 1 + 10^-k after k passes; P* = 1.
MethodRuns falling(int passes, const std::string& status) {
  RunRecord run;
  run.status = status;
  for (int k = 1; k <= passes; ++k) {
    TraceRow row;
    row.passes = k;
    row.primal = row.latest_primal = 1 + std::pow(10.0, -k);
    row.gap = 2 * std::pow(10.0, -k);
    run.checks.push_back(row);
  }
  return {.panel = "one", .label = "a", .runs = {run}, .criteria = {.gap = 0, .gap_abs = 1e-12}};
}

constexpr Optimum at_one{1, 0};

// The quantity by which the best trial is chosen.
TEST(Measures, a_height_after_infinitely_many_passes_is_that_of_the_last_check) {
  const Measure end{.name = "suboptimality", .of = "", .to = {}, .after = infinity};
  for (const char* status : {"converged", "pass-limit", "time-limit", "stalled"})
    EXPECT_NEAR(measured(end, falling(5, status), at_one).value, 1e-5, 1e-12) << status;
}

TEST(Measures, a_height_after_more_passes_than_a_limit_allowed_is_not_known) {
  const Measure later{.name = "suboptimality", .of = "", .to = {}, .after = 10};
  EXPECT_TRUE(std::isnan(measured(later, falling(5, "pass-limit"), at_one).value));
  EXPECT_NEAR(measured(later, falling(5, "converged"), at_one).value, 1e-5, 1e-12);
}

}  // namespace measures_test
}  // namespace seesaw
